// Lane 0 alone reads its sum and hands it to its warp, as the CUDA Programming Guide does. The
// variable has no value in the other lanes, so that compilers may have all of them load the sum.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* out, int n) {
  __shared__ float sum;
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
  int t = threadIdx.x, first = blockIdx.x * 2 * BLOCK;
  if (t >= 32) return;
  float a = 0;
  for (int j = first + t; j < first + 2 * BLOCK; j += 32)
    if (j < n) a += in[j];
  for (int d = 16; d; d /= 2) a += warp.shfl_down(a, d);
  if (t == 0) sum = a;
  float r;
  if (warp.thread_rank() == 0) r = sum;
  r = warp.shfl(r, 0);
  if (t == 3) out[blockIdx.x] = r;
}
