/*---
# SPDX-License-Identifier: Apache-2.0
title = "One atomic a warp for all that found something"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "found", type = "i32", extent = "1", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]
---*/

// The lanes with an odd number vote, and the lowest of these lanes adds for all.
__global__ void reduce_warp_aggregated(const int* in, int* found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool odd = i < n && in[i] % 2 == 1;
  unsigned lanes = __ballot_sync(0xffffffff, odd);
  if (odd && (lanes & ((1u << threadIdx.x % 32) - 1)) == 0) atomicAdd(found, __popc(lanes));
}
