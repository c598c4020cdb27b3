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
__global__ void g(int* P, int n) { P[threadIdx.x] = 1; }
//! expected:
no-such-kernel.cu: no-such-kernel has no __global__ function f; it has g; mend entry in the front matter
