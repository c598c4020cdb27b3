/*---
# SPDX-License-Identifier: Apache-2.0
title = "Comparisons with what is no number"
sizes = { n = 64 }

[launch]
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "out"
type = "i32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Every pair of eight numbers of 16 bits: both zeros, one, two, both infinities and two NaNs.
__device__ unsigned short bits_of(int i, unsigned short one, unsigned short infinity) {
  const unsigned short bits[8] = {0,
                                  0x8000,
                                  one,
                                  0x4000,
                                  infinity,
                                  (unsigned short)(infinity | 0x8000),
                                  (unsigned short)(infinity | 1),
                                  0x7fff};
  return bits[i % 8];
}

__global__ void nan_compare(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half a = __ushort_as_half(bits_of(i, 0x3c00, 0x7c00));
  __half b = __ushort_as_half(bits_of(i / 8, 0x3c00, 0x7c00));
  __nv_bfloat16 c = __ushort_as_bfloat16(bits_of(i, 0x3f80, 0x7f80));
  __nv_bfloat16 d = __ushort_as_bfloat16(bits_of(i / 8, 0x3f80, 0x7f80));
  __half2 pair = __hne2(__halves2half2(a, b), __halves2half2(b, a));
  int bits = (__hne(a, b) ? 1 : 0) | (a != b ? 2 : 0) | (__hneu(a, b) ? 4 : 0);
  bits |= (__heq(a, b) ? 8 : 0) | (__hle(a, b) ? 16 : 0) | (a > b ? 32 : 0);
  bits |= (__hbne2(__halves2half2(a, a), __halves2half2(b, b)) ? 64 : 0);
  bits |= (__hne(c, d) ? 128 : 0) | (c != d ? 256 : 0) | (__hneu(c, d) ? 512 : 0);
  bits |= (__heq(c, d) ? 1024 : 0) | (c < d ? 2048 : 0) | (__hge(c, d) ? 4096 : 0);
  out[i] = bits | (int)__half_as_ushort(__low2half(pair)) << 16;
}
