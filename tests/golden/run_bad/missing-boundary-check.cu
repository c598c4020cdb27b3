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
  P[threadIdx.x] = threadIdx.x;
}
//! expected:
P: 0 1 2 3 4 5 6 7
fault out-of-bounds: A write of 4 bytes ends 4 bytes past the end of P, which has 32 bytes: P[8] of 8 (thread (8, 0, 0) of block (0, 0, 0), line 18). (line 18, thread (8, 0, 0) of block (0, 0, 0); 24 times)
