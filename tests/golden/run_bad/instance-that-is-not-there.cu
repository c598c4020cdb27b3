//! command: run
/*---
entry = "f<Q>"
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
__global__ void f(int* P, int n) { P[threadIdx.x] = kN; }
//! expected:
instance-that-is-not-there.cu:3: the template instance f<Q>, which entry names, cannot be compiled: identifier "Q" is undefined
entry = "f<Q>"
