/*---
# SPDX-License-Identifier: Apache-2.0
title = "Steps of a breadth-first search"
sizes = { n = 100 }
operand = [
  { name = "neighbour", type = "i32", extent = "3 * n" },
  { name = "depth", type = "i32", extent = "n", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]

[[launch]]
entry = "first"
block = [64]
grid = ["ceildiv(n, 64)"]

[[launch]]
entry = "second"
block = [64]
grid = ["ceildiv(n, 64)"]

[[launch]]
entry = "third"
block = [64]
grid = ["ceildiv(n, 64)"]
---*/

// Node v points to three others. Depth 0 is unknown, the first node has depth 1; each launch
// finds the nodes to which the previous depth points. All threads that write a depth write the same.
__device__ void visit(const int* neighbour, int* depth, int n, int now) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  if (now == 1 && v == 0) depth[v] = 1;
  bool frontier = now == 1 ? v == 0 : atomicAdd(&depth[v], 0) == now;
  if (!frontier) return;
  for (int j = 0; j < 3; ++j) {
    int next = neighbour[3 * v + j] % n;
    if (next != 0 && depth[next] == 0) atomicCAS(&depth[next], 0, now + 1);
  }
}

__global__ void first(const int* neighbour, int* depth, int n) { visit(neighbour, depth, n, 1); }
__global__ void second(const int* neighbour, int* depth, int n) { visit(neighbour, depth, n, 2); }
__global__ void third(const int* neighbour, int* depth, int n) { visit(neighbour, depth, n, 3); }
