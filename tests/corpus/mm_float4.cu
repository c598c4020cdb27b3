/*---
# SPDX-License-Identifier: Apache-2.0
title = "Rows loaded four elements at a time"
reference = "matmul"
sizes = { m = 20, n = 20, q = 5 }

[launch]
block = [8, 8]
grid = ["ceildiv(n, 8)", "ceildiv(m, 8)"]

[[operand]]
name = "M"
rows = "m"
columns = "4 * q"

[[operand]]
name = "N"
rows = "4 * q"
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

[[operand]]
name = "q"
kind = "scalar"
---*/

// A row of M is read as float4: 16 bytes a lane in one instruction.
__global__ void mm_float4(const float4* M, const float* N, float* P, int m, int n, int q) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < q; ++i) {
    float4 a = M[row * q + i];
    const float* b = N + 4 * i * n + col;
    sum += a.x * b[0];
    sum += a.y * b[n];
    sum += a.z * b[2 * n];
    sum += a.w * b[3 * n];
  }
  P[row * n + col] = sum;
}
