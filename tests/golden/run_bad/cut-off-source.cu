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
  if (n > 3) {
    P[0] = (
//! expected:
cut-off-source.cu:19: expected an expression
    P[0] = (
