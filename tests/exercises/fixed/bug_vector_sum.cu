// SPDX-License-Identifier: Apache-2.0
// z = x + y: each thread computes one element.
__global__ void vector_sum(const float* x, const float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    z[i] = x[i] + y[i];
  }
}
