/*---
# SPDX-License-Identifier: Apache-2.0
title = "Odd-even transposition sort"
sizes = { n = 100 }
rules = [
  { expr = "n <= 256", say = "one block sorts at most 256 keys" },
]

[launch]
block = [128]
grid = [1]

[[operand]]
name = "keys"
type = "u32"
extent = "n"
direction = "inout"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void odd_even_sort(unsigned* keys, int n) {
  __shared__ unsigned line[256];
  for (int i = threadIdx.x; i < n; i += 128) line[i] = keys[i];
  for (int round = 0; round < n; ++round) {
    __syncthreads();
    int left = 2 * threadIdx.x + round % 2;
    if (left + 1 < n && line[left] > line[left + 1]) {
      unsigned key = line[left];
      line[left] = line[left + 1];
      line[left + 1] = key;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 128) keys[i] = line[i];
}
