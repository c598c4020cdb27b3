/*---
# SPDX-License-Identifier: Apache-2.0
title = "Atomics in shared memory"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "i32", extent = "6 * ceildiv(n, 64)", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

__global__ void atomic_shared_kinds(const int* in, int* out, int n) {
  __shared__ int words[5];
  __shared__ unsigned long long wide;
  int i = blockIdx.x * 64 + threadIdx.x;
  if (threadIdx.x < 5) words[threadIdx.x] = 0;
  if (threadIdx.x == 5) wide = 0;
  __syncthreads();
  int value = i < n ? in[i] : 0;
  atomicAdd(&words[0], value);
  atomicMax(&words[1], value);
  atomicMin(&words[2], -value);
  atomicXor(&words[3], value);
  atomicInc((unsigned*)&words[4], 1000);
  atomicAdd(&wide, (unsigned long long)value << 20);
  __syncthreads();
  if (threadIdx.x < 5) out[6 * blockIdx.x + threadIdx.x] = words[threadIdx.x];
  if (threadIdx.x == 5) out[6 * blockIdx.x + 5] = wide >> 20;
}
