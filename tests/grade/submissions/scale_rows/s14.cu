__global__ void scale_rows(const int* X, const int* b, int* Y, int a, int m, int n) {
  __shared__ int bias[BLOCK];
  for (int c = threadIdx.x; c < n; c += BLOCK) bias[c] = b[c];
  __syncthreads();
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < m * n; i += gridDim.x * BLOCK) {
    Y[i] = a * X[i] + Y[i] + bias[i % n];
  }
}
