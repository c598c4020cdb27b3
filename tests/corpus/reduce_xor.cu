/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum by butterfly shuffles"
reference = "block_sums"
elements_per_block = "32"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
type = "i32"
extent = "n"

[[operand]]
name = "out"
type = "i32"
extent = "ceildiv(n, 32)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// With xor every lane ends with the sum, so any of them may store it; here each block of 128
// threads writes four sums, one a warp.
__global__ void reduce_xor(const int* in, int* out, int n) {
  int warp = blockIdx.x * 4 + threadIdx.x / 32;
  int i = warp * 32 + threadIdx.x % 32;
  int value = i < n ? in[i] : 0;
  for (int mask = 1; mask < 32; mask *= 2) value += __shfl_xor_sync(0xffffffff, value, mask);
  if (i < n && threadIdx.x % 32 == 0) out[warp] = value;
}
