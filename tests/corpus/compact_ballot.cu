/*---
# SPDX-License-Identifier: Apache-2.0
title = "Keep the odd numbers of each warp"
sizes = { n = 1000 }

[launch]
block = [32]
grid = ["ceildiv(n, 32)"]

[[operand]]
name = "in"
type = "i32"
extent = "n"

[[operand]]
name = "out"
type = "i32"
extent = "32 * ceildiv(n, 32)"
direction = "inout"
fill = "zero"

[[operand]]
name = "counts"
type = "i32"
extent = "ceildiv(n, 32)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Each lane counts the votes below its own: that is its place.
__global__ void compact_ballot(const int* in, int* out, int* counts, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  int value = i < n ? in[i] : 0;
  unsigned kept = __ballot_sync(0xffffffff, value & 1);
  int place = __popc(kept & ((1u << threadIdx.x) - 1));
  if (value & 1) out[blockIdx.x * 32 + place] = value;
  if (threadIdx.x == 0) counts[blockIdx.x] = __popc(kept);
}
