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
host-function-called.cu:21:41: no matching function for call to 'three'; it is a host function: write __device__ before it
  if (threadIdx.x < n) P[threadIdx.x] = three();
                                        ^
