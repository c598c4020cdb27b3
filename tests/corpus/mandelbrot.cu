/*---
# SPDX-License-Identifier: Apache-2.0
title = "The Mandelbrot set"
sizes = { m = 40, n = 50 }

[launch]
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[operand]]
name = "out"
type = "i32"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Plain additions and products, so every machine draws the same picture.
__global__ void mandelbrot(int* out, int m, int n) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || col >= n) return;
  float cx = -2.2f + 3.0f * col / n, cy = -1.5f + 3.0f * row / m, x = 0.0f, y = 0.0f;
  int step = 0;
  for (; step < 100 && x * x + y * y < 4.0f; ++step) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
  }
  out[row * n + col] = step;
}
