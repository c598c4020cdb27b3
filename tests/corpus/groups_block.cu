/*---
# SPDX-License-Identifier: Apache-2.0
title = "A block as a group"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "i32", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void groups_block(const int* in, int* out, int n) {
  __shared__ int line[64];
  cg::thread_block block = cg::this_thread_block();
  unsigned rank = block.thread_rank();
  unsigned i = block.group_index().x * block.size() + rank;
  line[rank] = i < n ? in[i] : 0;
  block.sync();
  int next = line[(rank + 1) % block.size()];
  cg::sync(block);
  line[rank] += next;
  block.sync();
  if (i < n) out[i] = line[block.size() - 1 - rank] + block.dim_threads().x;
}
