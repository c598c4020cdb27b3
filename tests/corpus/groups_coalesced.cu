/*---
# SPDX-License-Identifier: Apache-2.0
title = "The threads that came here together"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "sizes", type = "i32", extent = "1", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]
---*/

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// One atomic for all lanes that took the branch, however the machine split them.
__global__ void groups_coalesced(const int* in, int* sizes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] % 3 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(sizes, active.size());
  }
}
