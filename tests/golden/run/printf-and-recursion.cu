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
__device__ __noinline__ int sum(int x) { return x == 0 ? 0 : x + sum(x - 1); }

__global__ void f(int* P, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  P[i] = sum(i);
  if (i % 4 == 3) printf("sum to %d is %d\n", i, P[i]);
}
//! expected:
P: 0 1 3 6 10 15 21 28
