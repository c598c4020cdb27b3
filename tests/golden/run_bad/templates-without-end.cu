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
template <int kN>
__device__ int deeper() { return deeper<kN + 1>(); }

__global__ void f(int* P, int n) {
  P[0] = deeper<0>();
}
//! expected:
templates-without-end.cu:18: excessive recursion at instantiation of function "deeper<kN>() [with kN=200]"
__device__ int deeper() { return deeper<kN + 1>(); }
