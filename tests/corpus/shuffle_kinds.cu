/*---
# SPDX-License-Identifier: Apache-2.0
title = "Shuffles of every kind and width"
sizes = { n = 1000 }
launch = { block = [32], grid = ["ceildiv(n, 32)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "i32", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

__global__ void shuffle_kinds(const int* in, int* out, int n) {
  const unsigned all = 0xffffffff;
  int i = blockIdx.x * 32 + threadIdx.x, lane = threadIdx.x;
  int value = i < n ? in[i] : -1;
  int result = __shfl_sync(all, value, 5);
  result += 3 * __shfl_sync(all, value, lane / 2, 8);
  result += 5 * __shfl_up_sync(all, value, 3, 16);
  result += 7 * __shfl_down_sync(all, value, 2, 4);
  result += 11 * __shfl_xor_sync(all, value, 9, 16);
  result += 13 * __shfl_sync(all, value, lane * 7 + 40);
  if (i < n) out[i] = result;
}
