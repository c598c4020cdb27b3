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
__global__ void f(int* P, int n) { P[0] = 1; }
/* and then
//! expected:
comment-without-end.cu:18: comment unclosed at end of file
/* and then
