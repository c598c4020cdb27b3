/*---
# SPDX-License-Identifier: Apache-2.0
title = "Atomics on 64-bit words"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", type = "i64", extent = "n" },
  { name = "words", type = "i64", extent = "4", direction = "inout", fill = "zero" },
  { name = "bits", type = "u64", extent = "4", direction = "inout", fill = "ones" },
  { name = "n", kind = "scalar" },
]
---*/

__global__ void atomics_64(const long long* in, long long* words, unsigned long long* bits, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long value = in[i] << 33;
  atomicAdd((unsigned long long*)&words[0], (unsigned long long)value);
  atomicMin(&words[1], -value);
  atomicMax(&words[2], value);
  atomicCAS((unsigned long long*)&words[3], 0ull, 1ull << 40);
  atomicAnd(&bits[0], ~(1ull << in[i] % 64));
  atomicOr(&bits[1], 1ull << in[i] % 64);
  atomicXor(&bits[2], 1ull << in[i] % 64);
  atomicMax(&bits[3], (unsigned long long)value);
}
