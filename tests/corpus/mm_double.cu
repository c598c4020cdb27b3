/*---
# SPDX-License-Identifier: Apache-2.0
title = "Product in double precision"
reference = "matmul"
sizes = { m = 33, n = 33, k = 33 }

[launch]
block = [16, 4]
grid = ["ceildiv(n, 16)", "ceildiv(m, 4)"]

[[operand]]
name = "M"
type = "f64"
rows = "m"
columns = "k"

[[operand]]
name = "N"
type = "f64"
rows = "k"
columns = "n"

[[operand]]
name = "P"
type = "f64"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"

[[operand]]
name = "k"
kind = "scalar"
---*/

// One thread an element, in double: a GPU for games does this at 1/64 of its speed in float.
__global__ void mm_double(const double* M, const double* N, double* P, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  double sum = 0.0;
  for (int i = 0; i < k; ++i) sum += M[row * k + i] * N[i * n + col];
  P[row * n + col] = sum;
}
