__global__ void scale_rows(const int* X, const int* b, int* Y, int a, int m, int n) {
  const int fours = m * n / 4;
  for (int q = blockIdx.x * BLOCK + threadIdx.x; q < fours; q += gridDim.x * BLOCK) {
    const int i = 4 * q;
    const int4 x = *(const int4*)(X + i);
    int4 y = *(const int4*)(Y + i);
    y.x += a * x.x + b[i % n];
    y.y += a * x.y + b[(i + 1) % n];
    y.z += a * x.z + b[(i + 2) % n];
    y.w += a * x.w + b[(i + 3) % n];
    *(int4*)(Y + i) = y;
  }
}
