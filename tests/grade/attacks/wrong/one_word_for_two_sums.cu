// Two sums of a warp are passed on in one word, with no __syncwarp() between the reading of the first
// and the storing of the second. The word is cleared before anybody computes with the first.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float word;
  int t = threadIdx.x, first = blockIdx.x * 2 * BLOCK;
  if (t >= 32) return;
  float a = 0, b = 0;
  for (int j = first + t; j < first + BLOCK; j += 32) {
    if (j < n) a += in[j];
    if (j + BLOCK < n) b += in[j + BLOCK];
  }
  for (int d = 16; d; d /= 2) {
    a += __shfl_down_sync(~0u, a, d);
    b += __shfl_down_sync(~0u, b, d);
  }
  if (t == 0) word = a;
  __syncwarp();
  float sumOfA = word;
  if (t == 0) word = b;
  __syncwarp();
  float sumOfB = word;
  __syncwarp();
  if (t == 0) word = 0;
  if (t == 5) out[blockIdx.x] = sumOfA + sumOfB;
}
