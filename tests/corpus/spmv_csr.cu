/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sparse matrix times vector"
sizes = { n = 100 }
operand = [
  { name = "columns", type = "i32", extent = "8 * n" },
  { name = "values", extent = "8 * n" },
  { name = "x", extent = "n" },
  { name = "starts", type = "i32", extent = "n + 1", direction = "inout", fill = "zero" },
  { name = "y", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]

[[launch]]
entry = "row_starts"
block = [64]
grid = ["ceildiv(n + 1, 64)"]

[[launch]]
entry = "spmv_csr"
block = [64]
grid = ["ceildiv(n, 64)"]
---*/

// Rows of 0 to 7 elements in compressed form. The first launch computes the row starts.
__global__ void row_starts(const int* columns, const float* values, const float* x, int* starts,
                           float* y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row > n) return;
  int start = 0;
  for (int r = 0; r < row; ++r) start += columns[r] % 8;
  starts[row] = start;
}

__global__ void spmv_csr(const int* columns, const float* values, const float* x, int* starts,
                         float* y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  for (int j = starts[row]; j < starts[row + 1]; ++j) sum += values[j] * x[columns[j] % n];
  y[row] = sum;
}
