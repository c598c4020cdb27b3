/*---
# SPDX-License-Identifier: Apache-2.0
title = "Radix sort of bytes, one bit a pass"
sizes = { n = 100 }
rules = [
  { expr = "n <= 128", say = "one block sorts at most 128 keys" },
]
launch = { block = [128], grid = [1] }
operand = [
  { name = "keys", type = "u32", extent = "n", direction = "inout" },
  { name = "n", kind = "scalar" },
]
---*/

// Each pass splits by one bit and keeps the order: zeros first, then ones. Votes count the zeros
// before each lane in its warp, and shared memory holds the counts of earlier warps.
__global__ void radix_sort(unsigned* keys, int n) {
  __shared__ unsigned line[128];
  __shared__ int zeros[4];
  int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  unsigned key = tid < n ? keys[tid] : 0xffffffffu;
  for (int bit = 0; bit < 8; ++bit) {
    bool one = key >> bit & 1;
    unsigned votes = __ballot_sync(0xffffffff, !one);
    if (lane == 0) zeros[warp] = __popc(votes);
    __syncthreads();
    int before = __popc(votes & ((1u << lane) - 1)), all = 0;
    for (int w = 0; w < 4; ++w) {
      if (w < warp) before += zeros[w];
      all += zeros[w];
    }
    line[one ? all + tid - before : before] = key;
    __syncthreads();
    key = line[tid];
  }
  if (tid < n) keys[tid] = key;
}
