/*---
# SPDX-License-Identifier: Apache-2.0
title = "Conway's game of life, two generations"
sizes = { m = 40, n = 50 }

[[launch]]
entry = "odd"
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[launch]]
entry = "even"
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[operand]]
name = "a"
type = "u8"
rows = "m"
columns = "n"
direction = "inout"

[[operand]]
name = "b"
type = "u8"
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

// The board is a torus. A cell's lowest bit says whether it lives.
__device__ void generation(const unsigned char* from, unsigned char* to, int m, int n) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || col >= n) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      neighbours += from[(row + dy + m) % m * n + (col + dx + n) % n] & 1;
    }
  }
  bool alive = from[row * n + col] & 1;
  to[row * n + col] = neighbours == 3 || (alive && neighbours == 2);
}

__global__ void odd(unsigned char* a, unsigned char* b, int m, int n) { generation(a, b, m, n); }
__global__ void even(unsigned char* a, unsigned char* b, int m, int n) { generation(b, a, m, n); }
