/*---
# SPDX-License-Identifier: Apache-2.0
title = "Pi by throwing darts"
sizes = { n = 500 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "inside"
type = "u32"
extent = "1"
direction = "inout"
fill = "zero"

[[operand]]
name = "n"
kind = "scalar"
---*/

// 32-bit whole numbers, so that every machine counts the same darts.
__global__ void monte_carlo_pi(unsigned* inside, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long state = 0x9e3779b97f4a7c15ull * (i + 1);
  unsigned hits = 0;
  for (int j = 0; j < 64; ++j) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    unsigned long long x = state >> 48, y = state >> 32 & 0xffff;
    hits += x * x + y * y < 1ull << 32;
  }
  atomicAdd(inside, hits);
}
