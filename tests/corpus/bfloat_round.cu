/*---
# SPDX-License-Identifier: Apache-2.0
title = "Numbers of other types as bfloat16"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", type = "u32", extent = "n" },
  { name = "out", type = "i32", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

#include <cuda_bf16.h>

__device__ int bits_of(__nv_bfloat16 a) {
  return __bfloat16_as_ushort(a);
}

// A double close to the midpoint of two bfloat16. Rounding it to float first would give the midpoint.
__global__ void bfloat_round(const unsigned* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned odd = in[i] % 128;
  long long middle = 0x0101 + 2 * odd;  // 256 and more: two units are one of its last places.
  int beside = i % 3 - 1;
  unsigned sum = bits_of((__nv_bfloat16)((double)middle + beside * 1e-12));
  sum = sum * 31 + bits_of((__nv_bfloat16)(-(double)middle - beside * 1e-12));
  sum = sum * 31 + bits_of((__nv_bfloat16)(int)(middle * 0x10000 + beside));
  sum = sum * 31 + bits_of((__nv_bfloat16)(int)-(middle * 0x10000 + beside));
  sum = sum * 31 + bits_of((__nv_bfloat16)(unsigned)(middle * 0x10000 + beside));
  sum = sum * 31 + bits_of((__nv_bfloat16)(middle * 0x1000000000 + beside));
  sum = sum * 31 + bits_of((__nv_bfloat16)(-middle * 0x1000000000 - beside));
  out[i] = sum * 31 + bits_of((__nv_bfloat16)(unsigned long long)(middle * 0x1000000000 + beside));
}
