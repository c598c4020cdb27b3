/*---
# SPDX-License-Identifier: Apache-2.0
title = "Rows of halves as the tensor cores take them"
sizes = { n = 3 }
launch = { block = [32], grid = ["n"] }
operand = [
  { name = "in", type = "u32", extent = "128 * n" },
  { name = "out", type = "u32", extent = "128 * n", direction = "out" },
]
---*/

// ldmatrix: lane l gives the address of a row of 16 bytes, and gets two halves of each matrix.
__global__ void load_matrix(const uint4* in, unsigned* out) {
  __shared__ uint4 rows[32];
  int lane = threadIdx.x;
  rows[lane] = in[blockIdx.x * 32 + lane];
  __syncwarp();
  unsigned at = (unsigned)__cvta_generic_to_shared(&rows[lane]);
  unsigned a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(at)
               : "memory");
  unsigned e;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(e) : "r"(at) : "memory");
  unsigned* mine = out + blockIdx.x * 128 + 4 * lane;
  mine[0] = a + 3 * e;
  mine[1] = b;
  mine[2] = c;
  mine[3] = d;
}
