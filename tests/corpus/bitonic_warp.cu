/*---
# SPDX-License-Identifier: Apache-2.0
title = "Bitonic sort of 32 keys by shuffles"
sizes = { n = 1000 }

[launch]
block = [32]
grid = ["ceildiv(n, 32)"]

[[operand]]
name = "keys"
extent = "n"

[[operand]]
name = "out"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void bitonic_warp(const float* keys, float* out, int n) {
  int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  float key = i < n ? keys[i] : 2.0f;
  for (int size = 2; size <= 32; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      float other = __shfl_xor_sync(0xffffffff, key, stride);
      bool up = (lane & size) == 0, low = (lane & stride) == 0;
      key = up == low ? fminf(key, other) : fmaxf(key, other);
    }
  }
  if (i < n) out[i] = key;
}
