/*---
# SPDX-License-Identifier: Apache-2.0
title = "Random numbers by shifts"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "out"
type = "u32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__device__ unsigned next(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

__global__ void xorshift(unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned state = 2463534242u + 7919u * i;
  for (int j = 0; j < 20; ++j) next(state);
  out[i] = next(state);
}
