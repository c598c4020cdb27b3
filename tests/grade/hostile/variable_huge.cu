__device__ char big[4200000000];
__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  big[row] = 1;
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
