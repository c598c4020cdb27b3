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
#include <cassert>
__global__ void f(int* P, int n) {
  int i = threadIdx.x;
  assert(i < n);
  P[i] = i;
}
//! expected:
P: -1515870811 -1515870811 -1515870811 -1515870811 -1515870811 -1515870811 -1515870811 -1515870811
fault assert: Assertion `i < n` failed in void f(int *, int), failed-assertion.cu:20 (thread (8, 0, 0) of block (0, 0, 0), line 20). (line 20, thread (8, 0, 0) of block (0, 0, 0); 24 times)
