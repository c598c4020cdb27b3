/*---
# SPDX-License-Identifier: Apache-2.0
title = "Cyclic redundancy check of 16 bytes a thread"
sizes = { n = 1000 }

[launch]
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "data"
type = "u8"
extent = "16 * n"

[[operand]]
name = "out"
type = "u32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__constant__ unsigned kPolynomial = 0xedb88320u;

__global__ void crc32(const unsigned char* data, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned crc = 0xffffffffu;
  for (int j = 0; j < 16; ++j) {
    crc ^= data[16 * i + j];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? kPolynomial : 0);
  }
  out[i] = ~crc;
}
