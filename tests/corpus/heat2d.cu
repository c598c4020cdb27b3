/*---
# SPDX-License-Identifier: Apache-2.0
title = "Four steps of heat in a plate"
sizes = { m = 40, n = 50 }

[[launch]]
entry = "forth"
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[launch]]
entry = "back"
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[launch]]
entry = "forth"
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[launch]]
entry = "back"
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[operand]]
name = "a"
rows = "m"
columns = "n"
direction = "inout"

[[operand]]
name = "b"
rows = "m"
columns = "n"
direction = "inout"
fill = "zero"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/

__device__ void heat_step(const float* from, float* to, int m, int n) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || col >= n) return;
  int at = row * n + col;
  bool edge = row == 0 || col == 0 || row == m - 1 || col == n - 1;
  float here = from[at];
  to[at] = edge ? here : here + 0.2f * (from[at - 1] + from[at + 1] + from[at - n] + from[at + n] - 4.0f * here);
}

// Two buffers take turns; each launch is a barrier of the whole grid.
__global__ void forth(float* a, float* b, int m, int n) { heat_step(a, b, m, n); }
__global__ void back(float* a, float* b, int m, int n) { heat_step(b, a, m, n); }
