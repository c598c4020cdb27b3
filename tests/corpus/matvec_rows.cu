/*---
# SPDX-License-Identifier: Apache-2.0
title = "Matrix times vector, a thread a row"
reference = "matmul"
sizes = { m = 50, n = 30 }

[launch]
block = [64]
grid = ["ceildiv(m, 64)"]

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

// Neighbouring threads read addresses a row apart: the textbook's uncoalesced access.
__global__ void matvec_rows(const float* A, const float* x, float* y, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += A[row * n + i] * x[i];
  y[row] = sum;
}
