/*---
# SPDX-License-Identifier: Apache-2.0
title = "Greatest common divisors"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "a"
type = "u32"
extent = "n"

[[operand]]
name = "b"
type = "u32"
extent = "n"
fill = "index"

[[operand]]
name = "out"
type = "u32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void gcd(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = a[i] * 60, y = b[i] * 36 + 12;
  while (y != 0) {
    unsigned rest = x % y;
    x = y;
    y = rest;
  }
  out[i] = x;
}
