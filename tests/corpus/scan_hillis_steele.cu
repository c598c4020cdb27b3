/*---
# SPDX-License-Identifier: Apache-2.0
title = "Inclusive scan, Hillis and Steele"
sizes = { n = 100 }
rules = [
  { expr = "n <= 256", say = "one block scans at most 256 elements" },
]

[launch]
block = [256]
grid = [1]

[[operand]]
name = "in"
type = "i32"
extent = "n"
fill = "index"

[[operand]]
name = "out"
type = "i32"
extent = "n"
direction = "out"
expect = "i * (i + 1) / 2"

[[operand]]
name = "n"
kind = "scalar"
---*/

// log2(n) rounds of n additions: more work than needed, but few steps. Two buffers take turns.
__global__ void scan_hillis_steele(const int* in, int* out, int n) {
  __shared__ int sums[2][256];
  int tid = threadIdx.x, from = 0;
  sums[0][tid] = tid < n ? in[tid] : 0;
  __syncthreads();
  for (int offset = 1; offset < 256; offset *= 2) {
    int to = 1 - from;
    sums[to][tid] = sums[from][tid] + (tid >= offset ? sums[from][tid - offset] : 0);
    __syncthreads();
    from = to;
  }
  if (tid < n) out[tid] = sums[from][tid];
}
