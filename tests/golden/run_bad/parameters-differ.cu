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
__global__ void f(int* P) { P[threadIdx.x] = 1; }
//! expected:
parameters-differ.cu: f has 1 parameters, and there are 2 operands for them (P and n); each parameter is one operand
