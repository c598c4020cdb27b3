/*---
# SPDX-License-Identifier: Apache-2.0
title = "One step of all shortest paths"
sizes = { n = 30, v = 4 }
rules = [
  { expr = "v < n", say = "the node {v} is none of {n}" },
]

[launch]
block = [8, 8]
grid = ["ceildiv(n, 8)", "ceildiv(n, 8)"]

[[operand]]
name = "d"
type = "i32"
rows = "n"
columns = "n"

[[operand]]
name = "out"
type = "i32"
rows = "n"
columns = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"

[[operand]]
name = "v"
kind = "scalar"
---*/

__global__ void floyd_warshall(const int* d, int* out, int n, int v) {
  int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row < n && col < n) out[row * n + col] = min(d[row * n + col], d[row * n + v] + d[v * n + col]);
}
