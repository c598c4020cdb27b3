//! command: run
__global__ void f(int* P, int n) {}
//! expected:
no-front-matter.cu:2: the file does not begin with its front matter, /*--- … ---*/; write it there or in no-front-matter.toml (docs/kernels.md)
__global__ void f(int* P, int n) {}
