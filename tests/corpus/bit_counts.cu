/*---
# SPDX-License-Identifier: Apache-2.0
title = "Counting and finding bits"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
type = "u32"
extent = "n"

[[operand]]
name = "out"
type = "u32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void bit_counts(const unsigned* in, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value = in[i] * 2654435761u >> (in[i] & 15);
  unsigned long long wide = (unsigned long long)value * value;
  out[i] = __popc(value) + 100 * __clz(value) + 10000 * __ffs(value) + (__brev(value) & 0xff00000) +
           __popcll(wide) + 7 * __clzll(wide) + 3 * __ffsll(wide);
}
