// Bit-fields are set one after the other, each by a load and a store of the whole word.
struct Mark {
  unsigned thread : 12, half : 12, set : 8;
};

__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  __shared__ Mark marks[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  s[t] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  marks[t].thread = t;
  marks[t].half = BLOCK / 2;
  marks[t].set = 1;
  Mark* own = (Mark*)malloc(sizeof(Mark));
  if (own != nullptr) own->set = 1;
  __syncthreads();
  for (int d = marks[BLOCK - 1 - t].half; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  bool good = marks[t].thread == t && marks[t].set == 1 && own != nullptr && own->set == 1;
  free(own);
  if (t == 0 && good) out[blockIdx.x] = s[0];
}
