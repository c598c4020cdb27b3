/*---
# SPDX-License-Identifier: Apache-2.0
title = "Transpose of 32 x 32 bits"
sizes = { n = 40 }

[launch]
block = [32]
grid = ["n"]

[[operand]]
name = "in"
type = "u32"
extent = "32 * n"

[[operand]]
name = "out"
type = "u32"
extent = "32 * n"
direction = "out"
---*/

// Bit b of word w becomes bit w of word b: one vote gathers one bit of 32 lanes.
__global__ void transpose_shuffle(const unsigned* in, unsigned* out) {
  int lane = threadIdx.x, at = blockIdx.x * 32 + lane;
  unsigned word = in[at], mine = 0;
  for (int bit = 0; bit < 32; ++bit) {
    unsigned column = __ballot_sync(0xffffffff, word >> bit & 1);
    if (lane == bit) mine = column;
  }
  out[at] = mine;
}
