/*---
# SPDX-License-Identifier: Apache-2.0
title = "Forces between bodies, tile by tile"
sizes = { n = 100 }

[launch]
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "bodies"
extent = "4 * n"

[[operand]]
name = "out"
extent = "4 * n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// x, y, z and mass of 64 bodies at a time in shared memory.
__global__ void nbody(const float4* bodies, float4* out, int n) {
  __shared__ float4 tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  float4 mine = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 force = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += 64) {
    int j = start + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < 64; ++k) {
      float4 other = tile[k];
      float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float strength = other.w * inverse * inverse * inverse;
      force.x += dx * strength;
      force.y += dy * strength;
      force.z += dz * strength;
    }
    __syncthreads();
  }
  if (i < n) out[i] = make_float4(force.x, force.y, force.z, 0.0f);
}
