/*---
# SPDX-License-Identifier: Apache-2.0
title = "Cooperative groups: a barrier of the whole grid"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"], cooperative = true }
operand = [
  { name = "cells", extent = "2 * n", direction = "inout", fill = "index", type = "i32" },
  { name = "n", kind = "scalar" },
]
---*/

#include <cooperative_groups.h>

// Five steps of a rule on a ring of cells; each cell reads its neighbours, also those of other blocks.
__global__ void groups_grid(int* cells, int n) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  int i = (int)grid.thread_rank();
  for (int step = 0; step < 5; ++step) {
    int* from = cells + step % 2 * n;
    int* to = cells + (step + 1) % 2 * n;
    if (i < n) to[i] = 3 * from[i] + from[(i + 1) % n] - from[(i + n - 1) % n];
    grid.sync();
  }
}
