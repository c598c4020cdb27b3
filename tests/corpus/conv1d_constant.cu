/*---
# SPDX-License-Identifier: Apache-2.0
title = "Convolution with a mask in constant memory"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "out"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"

[[operand]]
name = "mask"
kind = "symbol"
extent = "7"
---*/

// All lanes read the same element of the mask: constant memory answers them at once.
__constant__ float mask[7];

__global__ void conv1d_constant(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < 7; ++j) {
    int at = i + j - 3;
    if (at >= 0 && at < n) sum += in[at] * mask[j];
  }
  out[i] = sum;
}
