__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  volatile float* p = P;
  while (p[0] == p[0] - 1) {}
  while (atomicAdd(&P[0], 0.0f) != 7.0f) {}
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
