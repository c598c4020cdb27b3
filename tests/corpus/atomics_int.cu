/*---
# SPDX-License-Identifier: Apache-2.0
title = "Every atomic on 32-bit words"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "words", type = "i32", extent = "8", direction = "inout", fill = "zero" },
  { name = "bits", type = "u32", extent = "6", direction = "inout", fill = "ones" },
  { name = "n", kind = "scalar" },
]
---*/

// The results do not depend on the order of the threads.
__global__ void atomics_int(const int* in, int* words, unsigned* bits, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int value = in[i];
  atomicAdd(&words[0], value);
  atomicSub(&words[1], value);
  atomicMin(&words[2], value - 200);
  atomicMax(&words[3], value);
  atomicExch(&words[4], 42);
  atomicCAS(&words[5], 0, 17);
  atomicInc((unsigned*)&words[6], 9);
  atomicDec((unsigned*)&words[7], 12);
  atomicAnd(&bits[0], ~(1u << value % 8));
  atomicOr(&bits[1], 1u << value % 32);
  atomicXor(&bits[2], 1u << value % 32);
  atomicMin(&bits[3], (unsigned)value);
  atomicMax(&bits[4], (unsigned)value);
  atomicAdd(&bits[5], 0x10000000u);
}
