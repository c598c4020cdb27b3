/*---
# SPDX-License-Identifier: Apache-2.0
title = "Dot product"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "x"
extent = "n"

[[operand]]
name = "y"
extent = "n"

[[operand]]
name = "out"
extent = "ceildiv(n, 128)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void dot_product(const float* x, const float* y, float* out, int n) {
  __shared__ float products[128];
  int tid = threadIdx.x, i = blockIdx.x * 128 + tid;
  products[tid] = i < n ? x[i] * y[i] : 0.0f;
  for (int stride = 64; stride > 0; stride /= 2) {
    __syncthreads();
    if (tid < stride) products[tid] += products[tid + stride];
  }
  if (tid == 0) out[blockIdx.x] = products[0];
}
