//! command: run
/*---
entry = "f"
sizes = { n = 8 }
[launch]
block = 32
grid = 1
[[operand]]
name = "P"
type = "i32"
extent = "n"
direction = "out"
[[operand]]
name = "n"
kind = "scalar"
---*/
#include <cuda_fp16.h>

__global__ void f(int* P, int n) {
  int i = threadIdx.x;
  __half x = __hadd(__int2half_rn(i), __float2half(0.25f));
  float sum = __half2float(__hmul(x, x));
  for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if (i < n) P[i] = (int)(1000.0f * sum) + __half_as_ushort(x);
}
//! expected:
P: 10678062 10680366 10681262 10681774 10682222 10682478 10682734 10682990
