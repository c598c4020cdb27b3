/*---
# SPDX-License-Identifier: Apache-2.0
title = "Matrix times vector, a warp a row"
reference = "matmul"
sizes = { m = 50, n = 30 }

[launch]
block = [32, 4]
grid = ["ceildiv(m, 4)"]

[[operand]]
name = "A"
rows = "m"
columns = "n"

[[operand]]
name = "x"
rows = "n"
columns = "1"

[[operand]]
name = "y"
rows = "m"
columns = "1"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/

// The lanes of a warp share a row, and shuffles add what they found.
__global__ void matvec_warp(const float* A, const float* x, float* y, int m, int n) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= m) return;  // The whole warp leaves together.
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) sum += A[row * n + i] * x[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0) y[row] = sum;
}
