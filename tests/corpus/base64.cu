/*---
# SPDX-License-Identifier: Apache-2.0
title = "Three bytes to four letters"
sizes = { n = 100 }

[launch]
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "in"
type = "u8"
extent = "3 * n"

[[operand]]
name = "out"
type = "u8"
extent = "4 * n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__constant__ char kLetters[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

__global__ void base64(const unsigned char* in, uchar4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned bits = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  out[i] = make_uchar4(kLetters[bits >> 18], kLetters[bits >> 12 & 63], kLetters[bits >> 6 & 63],
                       kLetters[bits & 63]);
}
