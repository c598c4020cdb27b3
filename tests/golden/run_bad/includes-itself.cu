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
includes-itself.cu:17: #include __FILE__ is not taken: only headers of the compiler, such as <cuda_fp16.h> and <cstdint>, may be included, by a plain name: put other code that the kernel needs into its own file
