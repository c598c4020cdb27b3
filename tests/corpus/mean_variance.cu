/*---
# SPDX-License-Identifier: Apache-2.0
title = "Mean and variance of columns"
sizes = { m = 30, n = 20 }

[launch]
block = [32]
grid = ["ceildiv(n, 32)"]

[[operand]]
name = "A"
rows = "m"
columns = "n"

[[operand]]
name = "mean"
extent = "n"
direction = "out"

[[operand]]
name = "variance"
extent = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Welford's update: one pass, and no large sums of squares.
__global__ void mean_variance(const float* A, float* mean, float* variance, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= n) return;
  float average = 0.0f, spread = 0.0f;
  for (int row = 0; row < m; ++row) {
    float value = A[row * n + col];
    float before = value - average;
    average += before / (row + 1);
    spread += before * (value - average);
  }
  mean[col] = average;
  variance[col] = spread / m;
}
