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
__global__ void f(int* P, int n) {
  P[threadIdx.x] = ;
}
//! expected:
syntax-error.cu:18: expected an expression
  P[threadIdx.x] = ;
