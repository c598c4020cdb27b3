/*---
# SPDX-License-Identifier: Apache-2.0
title = "Many products of 4 x 4"
sizes = { n = 40 }

[launch]
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "A"
extent = "16 * n"

[[operand]]
name = "B"
extent = "16 * n"

[[operand]]
name = "C"
extent = "16 * n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// A whole product a thread: nothing is shared, and everything lives in registers.
__global__ void batched_4x4(const float* A, const float* B, float* C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[16], b[16];
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    a[j] = A[16 * i + j];
    b[j] = B[16 * i + j];
  }
#pragma unroll
  for (int row = 0; row < 4; ++row) {
#pragma unroll
    for (int col = 0; col < 4; ++col) {
      float sum = 0.0f;
#pragma unroll
      for (int j = 0; j < 4; ++j) sum += a[4 * row + j] * b[4 * j + col];
      C[16 * i + 4 * row + col] = sum;
    }
  }
}
