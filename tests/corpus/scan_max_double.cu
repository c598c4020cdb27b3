/*---
# SPDX-License-Identifier: Apache-2.0
title = "Running maximum of doubles by shuffles"
sizes = { n = 1000 }

[launch]
block = [32]
grid = ["ceildiv(n, 32)"]

[[operand]]
name = "in"
type = "f64"
extent = "n"

[[operand]]
name = "out"
type = "f64"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// A double travels in two shuffles.
__global__ void scan_max_double(const double* in, double* out, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  double value = i < n ? in[i] : -2.0;
  for (int offset = 1; offset < 32; offset *= 2) {
    double left = __shfl_up_sync(0xffffffff, value, offset);
    if (threadIdx.x >= offset) value = fmax(value, left);
  }
  if (i < n) out[i] = value;
}
