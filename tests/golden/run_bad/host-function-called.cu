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
#include <cstdio>
int three() { return 3; }

__global__ void f(int* P, int n) {
  if (threadIdx.x < n) P[threadIdx.x] = three();
}

int main() { printf("%d", three()); }
//! expected:
host-function-called.cu:21:41: identifier "three" is undefined; line 18 has a three for the host alone: write __device__ before it
  if (threadIdx.x < n) P[threadIdx.x] = three();
                                        ^
