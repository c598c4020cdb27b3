__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  float all[1 << 22];
  for (int i = 0; i < 1 << 22; ++i) all[i] = i * m;
  P[0] = all[n];
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
