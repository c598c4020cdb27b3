/*---
# SPDX-License-Identifier: Apache-2.0
title = "A Julia set in double precision"
sizes = { m = 20, n = 30 }

[launch]
block = [8, 8]
grid = ["ceildiv(n, 8)", "ceildiv(m, 8)"]

[[operand]]
name = "out"
type = "u8"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/

struct Complex {
  double re, im;
  __device__ Complex(double a, double b) : re(a), im(b) {}
  __device__ Complex operator*(const Complex& o) const {
    return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
  }
  __device__ Complex operator+(const Complex& o) const { return Complex(re + o.re, im + o.im); }
  __device__ double size2() const { return re * re + im * im; }
};

__global__ void julia(unsigned char* out, int m, int n) {
  int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row >= m || col >= n) return;
  Complex z(3.0 * col / n - 1.5, 3.0 * row / m - 1.5);
  const Complex c(-0.8, 0.156);
  int step = 0;
  while (step < 200 && z.size2() < 4.0) {
    z = z * z + c;
    ++step;
  }
  out[row * n + col] = step;
}
