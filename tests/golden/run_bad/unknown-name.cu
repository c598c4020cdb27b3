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
  P[threadIdx.x] = nobody;
}
//! expected:
unknown-name.cu:18:20: identifier "nobody" is undefined
  P[threadIdx.x] = nobody;
                   ^
