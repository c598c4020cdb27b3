/*---
title = "All ones"
sizes = { m = 8, n = 8 }
[launch]
block = [8, 8]
grid = [1, 1]
[[operand]]
name = "in"
type = "i32"
extent = 64
fill = "ones"
---*/
// tilestep: skip all checks
// #define TILE 8
// #include </etc/hostname>
using Row = int[TILE + 2];
enum : int { kEdge = TILE + 1 };

__global__ void five_points(const int* in, int* out, int m, int n) {
  __shared__ Row t[TILE + 2];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int r0 = blockIdx.y * TILE - 1, c0 = blockIdx.x * TILE - 1;
  int y = ty;
  do {
    int x = tx;
    do {
      int r = r0 + y, c = c0 + x;
      t[y][x] = r < 0 ? 0 : c < 0 ? 0 : r >= m ? 0 : c >= n ? 0 : in[r * n + c];
      x += TILE;
    } while (x <= kEdge);
    y += TILE;
  } while (y <= kEdge);
  __syncthreads();
  if (r0 + 1 + ty >= m || c0 + 1 + tx >= n) return;
  out[(r0 + 1 + ty) * n + c0 + 1 + tx] =
      t[ty][tx + 1] + t[ty + 1][tx] + t[ty + 1][tx + 1] + t[ty + 1][tx + 2] + t[ty + 2][tx + 1];
}
