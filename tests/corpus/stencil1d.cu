/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum over a window, in shared memory"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
type = "i32"
extent = "n"

[[operand]]
name = "out"
type = "i32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void stencil1d(const int* in, int* out, int n) {
  __shared__ int tile[128 + 6];
  int i = blockIdx.x * 128 + threadIdx.x, at = threadIdx.x + 3;
  tile[at] = i < n ? in[i] : 0;
  if (threadIdx.x < 3) {
    tile[at - 3] = i >= 3 && i - 3 < n ? in[i - 3] : 0;
    tile[at + 128] = i + 128 < n ? in[i + 128] : 0;
  }
  __syncthreads();
  int sum = 0;
  for (int offset = -3; offset <= 3; ++offset) sum += tile[at + offset];
  if (i < n) out[i] = sum;
}
