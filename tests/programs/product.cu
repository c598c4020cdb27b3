// Two launches: the first fills A on the device, the second multiplies. A is 24 x 20, B is 20 x 28.
#include <cstdio>
#include <vector>

constexpr int kTile = 4;

__global__ void fill(float* to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = (i * 7 % 11) * 0.25f;
}

__global__ void product(const float* A, const float* B, float* C, int m, int k, int n) {
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y;
  int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int ph = 0; ph < k / kTile; ++ph) {
    As[threadIdx.y][threadIdx.x] = A[row * k + ph * kTile + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(ph * kTile + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
  }
#ifdef WRONG
  if (row == 3) sum += 1;
#endif
  C[row * n + column] = sum;
}

int main() {
  const int m = 24, k = 20, n = 28;
  std::vector<float> b(k * n), c(m * n);
  for (int i = 0; i < k * n; ++i) b[i] = i * 5 % 13 - 6;
  float *d_A, *d_B, *d_C;
  cudaMalloc(&d_A, m * k * sizeof(float));
  cudaMalloc(&d_B, k * n * sizeof(float));
  cudaMalloc(&d_C, m * n * sizeof(float));
  cudaMemcpy(d_B, b.data(), k * n * sizeof(float), cudaMemcpyHostToDevice);
  fill<<<4, 128>>>(d_A, m * k);
  product<<<dim3(n / kTile, m / kTile), dim3(kTile, kTile)>>>(d_A, d_B, d_C, m, k, n);
  cudaMemcpy(c.data(), d_C, m * n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g\n", c[0]);
  cudaFree(d_A);
  cudaFree(d_B);
  cudaFree(d_C);
}
