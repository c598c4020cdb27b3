/*---
# SPDX-License-Identifier: Apache-2.0
title = "Scan that starts anew at every flag"
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
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// An element below 64 begins a segment. Each warp scans its own 32 elements: a lane takes no sum
// from before the last flag at or under it.
__global__ void scan_segmented(const int* in, int* out, int n) {
  int i = blockIdx.x * 32 + threadIdx.x, lane = threadIdx.x;
  int value = i < n ? in[i] : 0;
  unsigned flags = __ballot_sync(0xffffffff, value < 64 || lane == 0);
  int first = 31 - __clz(flags & (0xffffffffu >> (31 - lane)));
  for (int offset = 1; offset < 32; offset *= 2) {
    int left = __shfl_up_sync(0xffffffff, value, offset);
    if (lane - offset >= first) value += left;
  }
  if (i < n) out[i] = value;
}
