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
__global__ void h(int* P, int n) { P[threadIdx.x] = 2; }
//! expected:
no-such-kernel.cu:3: entry is f, and this file has no __global__ function f; it has g (line 17) and h (line 18); name one of them here, or choose one with --entry NAME
entry = "f"
