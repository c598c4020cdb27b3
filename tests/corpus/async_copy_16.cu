/*---
# SPDX-License-Identifier: Apache-2.0
title = "Asynchronous copies of 16 bytes"
arch = "compute_80"
sizes = { n = 40 }

[launch]
block = [32]
grid = ["ceildiv(n, 32)"]

[[operand]]
name = "in"
extent = "4 * n"

[[operand]]
name = "out"
extent = "4 * n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// What is not copied is filled with zeros.
__global__ void async_copy_16(const float4* in, float4* out, int n) {
  __shared__ float4 tile[32];
  int i = blockIdx.x * 32 + threadIdx.x;
  unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
  int bytes = i < n ? 16 : 0;
  const float4* from = in + min(i, n - 1);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  float4 other = tile[31 - threadIdx.x];
  if (i < n) out[i] = make_float4(other.w, other.x, other.y, other.z);
}
