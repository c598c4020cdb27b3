/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum and maximum by cg::reduce"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "sums", type = "i32", extent = "2 * ceildiv(n, 64)", direction = "out" },
  { name = "most", type = "i32", extent = "2 * ceildiv(n, 64)", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void reduce_cg_reduce(const int* in, int* sums, int* most, int n) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  int sum = cg::reduce(tile, value, cg::plus<int>());
  int largest = cg::reduce(tile, value, cg::greater<int>());
  if (tile.thread_rank() == 0) {
    sums[i / 32] = sum;
    most[i / 32] = largest;
  }
}
