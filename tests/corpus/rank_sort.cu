/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sort by counting smaller keys"
sizes = { n = 300 }

[launch]
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "keys"
type = "i32"
extent = "n"

[[operand]]
name = "out"
type = "i32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Each thread finds its own place; equal keys keep their order.
__global__ void rank_sort(const int* keys, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int key = keys[i], place = 0;
  for (int j = 0; j < n; ++j) place += keys[j] < key || (keys[j] == key && j < i);
  out[place] = key;
}
