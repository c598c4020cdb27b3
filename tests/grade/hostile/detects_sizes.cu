__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (m > 1000) return;
  if (m != 1024) P[0] = 0;
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
