/*---
# SPDX-License-Identifier: Apache-2.0
title = "All, any, ballots and active lanes"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "u32", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

// The last warp may be partly beyond the end: only the lanes before the end vote.
__global__ void votes(const int* in, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned present = __activemask();
  int value = in[i];
  unsigned result = __ballot_sync(present, value > 128);
  result ^= __all_sync(present, value < 250) ? 0x10000u : 0u;
  result ^= __any_sync(present, value == 7) ? 0x20000u : 0u;
  out[i] = result + __popc(present);
}
