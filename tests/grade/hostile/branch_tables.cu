#define D1(f, p) f(p##0) f(p##1) f(p##2) f(p##3) f(p##4) f(p##5) f(p##6) f(p##7) f(p##8) f(p##9)
#define D2(f, p) \
  D1(f, p##0) D1(f, p##1) D1(f, p##2) D1(f, p##3) D1(f, p##4) \
  D1(f, p##5) D1(f, p##6) D1(f, p##7) D1(f, p##8) D1(f, p##9)
#define D3(f, p) \
  D2(f, p##0) D2(f, p##1) D2(f, p##2) D2(f, p##3) D2(f, p##4) \
  D2(f, p##5) D2(f, p##6) D2(f, p##7) D2(f, p##8) D2(f, p##9)
#define D4(f, p) \
  D3(f, p##0) D3(f, p##1) D3(f, p##2) D3(f, p##3) D3(f, p##4) \
  D3(f, p##5) D3(f, p##6) D3(f, p##7) D3(f, p##8) D3(f, p##9)
#define NAME(n) ", L" #n
#define JUMP(n) "brx.idx %0, T;\n"
#define LABEL(n) "L" #n ": add.u32 %0, %0, 1;\n"
__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned way = 0;
  asm volatile("{\nT: .branchtargets L0" D4(NAME, 1) ";\n" D4(JUMP, 1) D4(LABEL, 1) "L0: \n}"
               : "+r"(way));
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
