/*---
# SPDX-License-Identifier: Apache-2.0
title = "8- and 16-bit whole numbers"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "a"
type = "i8"
extent = "n"

[[operand]]
name = "b"
type = "u8"
extent = "n"

[[operand]]
name = "s"
type = "i8"
extent = "2 * n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Arithmetic is done in 32 bits; loads extend, stores cut off.
__global__ void narrow_integers(const signed char* a, const unsigned char* b, short* s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  short sum = a[i] + b[i];
  unsigned short product = (unsigned short)(a[i] * b[i]);
  signed char wrapped = (signed char)(sum * 3);
  s[i] = (short)(sum + (product >> 3) - wrapped + (b[i] / 7) * (a[i] % 5));
}
