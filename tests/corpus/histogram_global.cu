/*---
# SPDX-License-Identifier: Apache-2.0
title = "Histogram by global atomics"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "data"
type = "u8"
extent = "n"

[[operand]]
name = "bins"
type = "u32"
extent = "256"
direction = "inout"
fill = "zero"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void histogram_global(const unsigned char* data, unsigned* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1u);
}
