/*---
# SPDX-License-Identifier: Apache-2.0
title = "Atomics that the machine lacks, by compare and swap"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", extent = "n" },
  { name = "most", extent = "1", direction = "inout", fill = "zero" },
  { name = "product", type = "u32", extent = "1", direction = "inout", fill = "ones" },
  { name = "n", kind = "scalar" },
]
---*/

// A float's maximum, and a product modulo 2^32: read, then compare and swap
// until no other thread has changed the value, as in the CUDA C++ Programming Guide.
__device__ void atomic_max(float* address, float value) {
  int* bits = (int*)address;
  int seen = *bits;
  while (__int_as_float(seen) < value) {
    int before = seen;
    seen = atomicCAS(bits, before, __float_as_int(value));
    if (seen == before) break;
  }
}

__global__ void atomic_cas_loop(const float* in, float* most, unsigned* product, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomic_max(most, in[i]);
  unsigned factor = 2 * (unsigned)i + 1, seen = *product, before;
  do {
    before = seen;
    seen = atomicCAS(product, before, before * factor);
  } while (seen != before);
}
