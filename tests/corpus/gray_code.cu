/*---
# SPDX-License-Identifier: Apache-2.0
title = "Gray codes there and back"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
type = "u32"
extent = "n"
fill = "index"

[[operand]]
name = "gray"
type = "u32"
extent = "n"
direction = "out"

[[operand]]
name = "back"
type = "u32"
extent = "n"
direction = "out"
expect = "i"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void gray_code(const unsigned* in, unsigned* gray, unsigned* back, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned code = in[i] ^ in[i] >> 1, value = code;
  for (int shift = 1; shift < 32; shift *= 2) value ^= value >> shift;
  gray[i] = code;
  back[i] = value;
}
