/*---
# SPDX-License-Identifier: Apache-2.0
title = "Powers modulo a prime"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
type = "u32"
extent = "n"

[[operand]]
name = "out"
type = "u32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void mod_power(const unsigned* in, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long p = 1000000007ull;
  unsigned long long base = in[i] + 2, result = 1;
  for (unsigned e = 13 * i + 1; e > 0; e >>= 1) {
    if (e & 1) result = result * base % p;
    base = base * base % p;
  }
  out[i] = (unsigned)result;
}
