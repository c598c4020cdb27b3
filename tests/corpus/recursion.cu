/*---
# SPDX-License-Identifier: Apache-2.0
title = "Factorials, Fibonacci numbers and Ackermann's function"
sizes = { n = 20 }
launch = { block = [32], grid = ["ceildiv(n, 32)"] }
operand = [
  { name = "out", type = "i64", extent = "3 * n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

__device__ __noinline__ long long factorial(int k) { return k < 2 ? 1 : k * factorial(k - 1); }

__device__ __noinline__ long long fibonacci(int k) {
  return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2);
}

__device__ __noinline__ int ackermann(int a, int b) {
  if (a == 0) return b + 1;
  if (b == 0) return ackermann(a - 1, 1);
  return ackermann(a - 1, ackermann(a, b - 1));
}

__global__ void recursion(long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[3 * i] = factorial(i % 21);
  out[3 * i + 1] = fibonacci(i % 12);
  out[3 * i + 2] = ackermann(i % 3, i % 4);
}
