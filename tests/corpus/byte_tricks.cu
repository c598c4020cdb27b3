/*---
# SPDX-License-Identifier: Apache-2.0
title = "Bytes within words"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
type = "u32"
extent = "n"

[[operand]]
name = "out"
type = "u32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void byte_tricks(const unsigned* in, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = in[i] * 0x01234567u + 0x89abcdefu, b = a * 3 + i;
  unsigned mixed = __byte_perm(a, b, 0x5140 + i % 4);
  mixed ^= __byte_perm(b, a, 0x8db2 + a % 8 * 0x1111);  // Three of a selector's four bits count.
  mixed += __funnelshift_l(a, b, i) ^ __funnelshift_r(a, b, i * 3);
  mixed ^= __vadd4(a, b) + __vabsdiffu4(a, b);
  mixed += __umulhi(a, b) - __mulhi((int)a, (int)b) + __sad((int)a, (int)b, 7);
  out[i] = mixed + __usad(a, b, 1) + __rhadd((int)a, (int)b) + __mul24(a, b) + __umul24(b, a);
}
