// The dot product of two vectors, in one kernel, and a check of the result on the host.
#include <cstdio>
#include <vector>

#define BLOCK 256

// Each block adds up BLOCK products in shared memory, and adds its sum to the result.
__global__ void dotProduct(const float* a, const float* b, float* result, int n) {
  __shared__ float sums[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? a[i] * b[i] : 0;
  __syncthreads();

  // In each round, the first half of the threads adds what the second half has.
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
  }

  if (t == 0) atomicAdd(result, sums[0]);
}

int main() {
  const int n = 1000;
  std::vector<float> a(n), b(n);
  float expected = 0;
  for (int i = 0; i < n; ++i) {
    a[i] = i % 5;
    b[i] = i % 3;
    expected += a[i] * b[i];
  }

  float *devA, *devB, *devResult;
  cudaMalloc(&devA, n * sizeof(float));
  cudaMalloc(&devB, n * sizeof(float));
  cudaMalloc(&devResult, sizeof(float));
  cudaMemcpy(devA, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(devB, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(devResult, 0, sizeof(float));

  const int blocks = (n + BLOCK - 1) / BLOCK;
  dotProduct<<<blocks, BLOCK>>>(devA, devB, devResult, n);

  float result = 0;
  cudaMemcpy(&result, devResult, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("The kernel says %g, the host says %g.\n", result, expected);
  cudaFree(devA);
  cudaFree(devB);
  cudaFree(devResult);
  return result == expected ? 0 : 1;
}
