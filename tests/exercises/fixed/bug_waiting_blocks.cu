// SPDX-License-Identifier: Apache-2.0
// total = in[0] + in[1] + ... + in[n - 1]. add_total is launched after add_parts.
__global__ void add_parts(const int* in, int* parts, int* total, int* arrived, int n) {
  int first = blockIdx.x * BLOCK;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = first; i < first + BLOCK && i < n; ++i) {
      sum += in[i];
    }
    parts[blockIdx.x] = sum;
  }
}

__global__ void add_total(const int* in, int* parts, int* total, int* arrived, int n) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  int all = 0;
  for (int b = 0; b < blocks; ++b) {
    all += parts[b];
  }
  *total = all;
}
