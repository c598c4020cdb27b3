/*---
# SPDX-License-Identifier: Apache-2.0
title = "Smallest and largest of doubles"
sizes = { n = 1000 }

[launch]
block = [64]
grid = [1]

[[operand]]
name = "in"
type = "f64"
extent = "n"

[[operand]]
name = "out"
type = "f64"
extent = "2"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void reduce_min_double(const double* in, double* out, int n) {
  __shared__ double low[64], high[64];
  int tid = threadIdx.x;
  low[tid] = 2.0;
  high[tid] = -2.0;
  for (int i = tid; i < n; i += 64) {
    low[tid] = fmin(low[tid], in[i]);
    high[tid] = fmax(high[tid], in[i]);
  }
  __syncthreads();
  for (int stride = 32; stride > 0; stride >>= 1) {
    if (tid < stride) {
      low[tid] = fmin(low[tid], low[tid + stride]);
      high[tid] = fmax(high[tid], high[tid + stride]);
    }
    __syncthreads();
  }
  if (tid == 0) {
    out[0] = low[0];
    out[1] = high[0];
  }
}
