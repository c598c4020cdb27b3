// SPDX-License-Identifier: Apache-2.0
// Counts how many elements of x leave the remainder 0, 1, ... 7 when divided by 8.
__global__ void histogram(const int* x, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int bin = x[i] % 8;
    atomicAdd(&bins[bin], 1);
  }
}
