/*---
# SPDX-License-Identifier: Apache-2.0
title = "Steps of the Collatz sequence"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
type = "i32"
extent = "n"
fill = "index"

[[operand]]
name = "out"
type = "i32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// A loop whose length differs from lane to lane.
__global__ void collatz(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long value = in[i] + 1;
  int steps = 0;
  while (value != 1) {
    value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    ++steps;
  }
  out[i] = steps;
}
