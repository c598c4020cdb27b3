/*---
# SPDX-License-Identifier: Apache-2.0
title = "Tiles of 4, 8 and 16 threads"
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

template <class Tile>
__device__ int tile_sum(Tile tile, int value) {
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_xor(value, offset);
  return value;
}

__global__ void groups_tiles(const int* in, int* out, int n) {
  cg::thread_block block = cg::this_thread_block();
  int i = blockIdx.x * 64 + block.thread_rank();
  int value = i < n ? in[i] : 0;
  int sum = tile_sum(cg::tiled_partition<4>(block), value);
  sum += 3 * tile_sum(cg::tiled_partition<8>(block), value);
  auto sixteen = cg::tiled_partition<16>(block);
  sum += 5 * tile_sum(sixteen, value) + 7 * sixteen.ballot(value % 2) + sixteen.any(value == 9);
  sum += sixteen.shfl(value, sixteen.thread_rank() / 2);
  if (i < n) out[i] = sum;
}
