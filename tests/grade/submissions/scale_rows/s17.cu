__global__ void by_fours(const int* X, const int* b, int* Y, int a, int m, int n) {
  const int total = m * n, fours = total / 4;
  const int me = blockIdx.x * BLOCK + threadIdx.x, all = gridDim.x * BLOCK;
  const int4* X4 = reinterpret_cast<const int4*>(X);
  int4* Y4 = reinterpret_cast<int4*>(Y);
  for (int q = me; q < fours; q += all) {
    const int4 x = X4[q];
    int4 y = Y4[q];
    y.x += a * x.x + b[(4 * q) % n];
    y.y += a * x.y + b[(4 * q + 1) % n];
    y.z += a * x.z + b[(4 * q + 2) % n];
    y.w += a * x.w + b[(4 * q + 3) % n];
    Y4[q] = y;
  }
  const int rest = 4 * fours + me;
  if (rest < total) Y[rest] += a * X[rest] + b[rest % n];
}
