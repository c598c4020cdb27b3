/*---
# SPDX-License-Identifier: Apache-2.0
title = "Who and where am I"
sizes = { n = 2 }
launch = { block = [8, 3, 2], grid = [3, 2, 2] }
operand = [
  { name = "out", type = "u32", extent = "8 * 576", direction = "out" },
]
---*/

__global__ void special_registers(unsigned* out) {
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned lane, below, from_here;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(from_here));
  unsigned* mine = out + 8 * (block * 48 + thread);
  mine[0] = block;
  mine[1] = thread;
  mine[2] = lane;
  mine[3] = below;
  mine[4] = from_here;
  mine[5] = warpSize;
  mine[6] = gridDim.x * 100 + gridDim.y * 10 + gridDim.z;
  mine[7] = blockDim.x * 100 + blockDim.y * 10 + blockDim.z;
}
