//! command: run
__global__ void f(int* P, int n) {}
//! expected:
no-front-matter.cu:2: the file does not begin with its front matter, /*--- … ---*/; write it there or in no-front-matter.toml (tilestep draft no-front-matter.cu makes a start)
__global__ void f(int* P, int n) {}
