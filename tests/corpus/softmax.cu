/*---
# SPDX-License-Identifier: Apache-2.0
title = "Softmax of each row"
sizes = { m = 8, n = 50 }

[launch]
block = [64]
grid = ["m"]

[[operand]]
name = "in"
rows = "m"
columns = "n"

[[operand]]
name = "out"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Largest element first, so that no exponential overflows.
__global__ void softmax(const float* in, float* out, int n) {
  __shared__ float part[64];
  const float* row = in + blockIdx.x * n;
  int tid = threadIdx.x;
  float most = -1.0e30f;
  for (int i = tid; i < n; i += 64) most = fmaxf(most, row[i]);
  part[tid] = most;
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (tid < stride) part[tid] = fmaxf(part[tid], part[tid + stride]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0.0f;
  for (int i = tid; i < n; i += 64) sum += expf(row[i] - most);
  part[tid] = sum;
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (tid < stride) part[tid] += part[tid + stride];
    __syncthreads();
  }
  for (int i = tid; i < n; i += 64) out[blockIdx.x * n + i] = expf(row[i] - most) / part[0];
}
