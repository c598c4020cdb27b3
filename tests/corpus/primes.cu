/*---
# SPDX-License-Identifier: Apache-2.0
title = "Numbers that have no divisor"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "prime"
type = "u8"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void primes(unsigned char* prime, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool is_prime = i > 1;
  for (int d = 2; d * d <= i; ++d) {
    if (i % d == 0) {
      is_prime = false;
      break;
    }
  }
  prime[i] = is_prime;
}
