/*---
# SPDX-License-Identifier: Apache-2.0
title = "Outer product of two vectors"
reference = "matmul"
sizes = { m = 40, n = 30 }

[launch]
block = [32, 4]
grid = ["ceildiv(n, 32)", "ceildiv(m, 4)"]

[[operand]]
name = "a"
rows = "m"
columns = "1"

[[operand]]
name = "b"
rows = "1"
columns = "n"

[[operand]]
name = "P"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Shared memory spares the warps of a block the same loads.
__global__ void outer_product(const float* a, const float* b, float* P, int m, int n) {
  __shared__ float left[4], right[32];
  int row = blockIdx.y * 4 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.x == 0) left[threadIdx.y] = row < m ? a[row] : 0.0f;
  if (threadIdx.y == 0) right[threadIdx.x] = col < n ? b[col] : 0.0f;
  __syncthreads();
  if (row < m && col < n) P[row * n + col] = left[threadIdx.y] * right[threadIdx.x];
}
