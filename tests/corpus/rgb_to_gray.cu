/*---
# SPDX-License-Identifier: Apache-2.0
title = "Colours to gray"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "rgb"
type = "u8"
extent = "3 * n"

[[operand]]
name = "gray"
type = "u8"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Three bytes a pixel, next to one another: the lanes' addresses are three apart.
__global__ void rgb_to_gray(const unsigned char* rgb, unsigned char* gray, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
  gray[i] = (unsigned char)(0.21f * r + 0.71f * g + 0.07f * b);
}
