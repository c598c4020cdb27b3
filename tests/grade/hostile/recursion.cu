__device__ int down(int n) { return n < 0 ? 0 : 1 + down(n + 1) * 2 % 7; }
__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  P[0] = down(1);
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
