/*---
# SPDX-License-Identifier: Apache-2.0
title = "Length of a vector, then each element over it"
sizes = { n = 100 }

[[launch]]
entry = "length_squared"
block = [64]
grid = [1]

[[launch]]
entry = "divide"
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "x"
extent = "n"

[[operand]]
name = "squares"
extent = "1"
direction = "inout"
fill = "zero"

[[operand]]
name = "y"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Two launches: the second sees all that the first wrote, with no barrier of the grid.
__global__ void length_squared(const float* x, float* squares, float* y, int n) {
  __shared__ float sums[64];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 64) sum += x[i] * x[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) sums[threadIdx.x] += sums[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) *squares = sums[0];
}

__global__ void divide(const float* x, float* squares, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / sqrtf(*squares);
}
