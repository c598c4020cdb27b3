#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void grouped(const float* in, float* out, int n) {
  __shared__ float part[BLOCK / 32];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int i = blockIdx.x * 2 * BLOCK + block.thread_rank();
  float v = 0.0f;
  if (i < n) v += in[i];
  if (i + BLOCK < n) v += in[i + BLOCK];
  for (int d = 16; d > 0; d /= 2) v += tile.shfl_down(v, d);
  if (tile.thread_rank() == 0) part[block.thread_rank() / 32] = v;
  block.sync();
  if (block.thread_rank() == 0) {
    float s = 0.0f;
    for (float p : part) s += p;
    out[blockIdx.x] = s;
  }
}
