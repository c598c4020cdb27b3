/*---
# SPDX-License-Identifier: Apache-2.0
title = "Switches, dense and sparse"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "i32", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

__global__ void switches(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int value = in[i], result = 0;
  switch (value % 9) {
    case 0: result = value + 1; break;
    case 1: result = value * value; break;
    case 2: result = value ^ i; break;
    case 3: result = -value; break;
    case 4:
    case 5: result = value / 3;  // And on into the next one.
    case 6: result += 1000; break;
    case 7: result = i * 5; break;
    default: result = 77;
  }
  switch (value) {
    case 3: result += 1; break;
    case 99: result += 2; break;
    case 200: result += 3; break;
  }
  out[i] = result;
}
