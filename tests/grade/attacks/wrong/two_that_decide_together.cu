// All lanes look at two values, and nothing keeps lane 31 from replacing both meanwhile. Replacing
// only one of them would not matter, because of the other value.
__global__ void k(const float* in, float* out, int n) {
  __shared__ int low, high;
  __shared__ float s[32];
  int t = threadIdx.x, first = blockIdx.x * 2 * BLOCK;
  if (t >= 32) return;
  float a = 0;
  for (int j = first + t; j < first + 2 * BLOCK; j += 32)
    if (j < n) a += in[j];
  s[t] = a;
  if (t == 0) {
    low = 9;
    high = 0;
  }
  __syncwarp();
  bool isInside = low < 5 && high > 5;
  if (t == 31) {
    low = n > 0;
    high = 7 + (n > 0);
  }
  __syncwarp();
  if (isInside) s[t] = 0;
  __syncwarp();
  if (t == 3 && low < high) {
    float r = 0;
    for (int j = 0; j < 32; ++j) r += s[j];
    out[blockIdx.x] = r;
  }
}
