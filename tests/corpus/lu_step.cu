/*---
# SPDX-License-Identifier: Apache-2.0
title = "One step of an LU factorisation"
sizes = { n = 20, p = 3 }

[[launch]]
entry = "lu_factors"
block = [8, 8]
grid = [1, "ceildiv(n, 8)"]

[[launch]]
entry = "lu_step"
block = [8, 8]
grid = ["ceildiv(n, 8)", "ceildiv(n, 8)"]

[[operand]]
name = "A"
rows = "n"
columns = "n"
direction = "inout"

[[operand]]
name = "n"
kind = "scalar"

[[operand]]
name = "p"
kind = "scalar"
---*/

// Rows below the pivot lose their multiple of the pivot's row; the factors take the place of the
// zeros. Row p and column p are only read through the factor, so one launch does the whole step.
__global__ void lu_factors(float* A, int n, int p) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (blockIdx.x == 0 && threadIdx.x == 0 && row > p && row < n) A[row * n + p] /= A[p * n + p];
}

__global__ void lu_step(float* A, int n, int p) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row > p && row < n && col > p && col < n) A[row * n + col] -= A[row * n + p] * A[p * n + col];
}
