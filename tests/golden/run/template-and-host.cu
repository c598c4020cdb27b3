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
#include <vector>

template <int kFactor>
__device__ int times(int x) { return kFactor * x; }

int twice(int x) { return 2 * x; }

__global__ void f(int* P, int n) {
  int i = threadIdx.x;
  if (i < n) P[i] = times<3>(i);
}

int main() {
  std::vector<int> host(8, twice(1));
  f<<<1, 32>>>(nullptr, 8);
  printf("%d\n", host[0]);
}
//! expected:
P: 0 3 6 9 12 15 18 21
