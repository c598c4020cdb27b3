/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum with cooperative groups"
reference = "block_sums"
elements_per_block = "128"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "out"
extent = "ceildiv(n, 128)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The group says its size and its rank; the code does not say 32.
template <class Group>
__device__ float group_sum(Group group, float value) {
  for (int offset = group.size() / 2; offset > 0; offset /= 2) {
    value += group.shfl_down(value, offset);
  }
  return value;
}

__global__ void reduce_groups(const float* in, float* out, int n) {
  __shared__ float sums[4];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int i = blockIdx.x * block.size() + block.thread_rank();
  float value = group_sum(warp, i < n ? in[i] : 0.0f);
  if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = value;
  block.sync();
  if (block.thread_rank() < 4) {
    auto few = cg::tiled_partition<4>(warp);
    value = group_sum(few, sums[few.thread_rank()]);
    if (few.thread_rank() == 0) out[blockIdx.x] = value;
  }
}
