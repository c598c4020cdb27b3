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
#include __FILE__
__global__ void f(int* P, int n) {
  P[threadIdx.x] = wanted;
}
//! expected:
includes-itself.cu:19:20: identifier "wanted" is undefined
  P[threadIdx.x] = wanted;
                   ^
