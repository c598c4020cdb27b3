/*---
# SPDX-License-Identifier: Apache-2.0
title = "Points as an array of structures"
summary = "Each thread finds the largest coordinate of one point. A point's coordinates are next to each other, so the x of neighbouring threads are three elements apart."
operations = "0"
sizes = { n = 1048576 }
rules = [
  { expr = "n < 2^31 - 1024", say = "{n} points; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.BLOCK]
default = 256
range = [32, 1024]
step = 32
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, BLOCK)"]

[[operand]]
name = "points"
rows = "n"
columns = 3
fill = "index"

[[operand]]
name = "largest"
rows = 1
columns = "n"
direction = "out"
expect = "3 * i + 2"

[[operand]]
name = "n"
kind = "scalar"
---*/

struct Point {
  float x, y, z;
};

// An array of structures: in memory the coordinates are x0 y0 z0 x1 y1 z1 x2 y2 z2 …
__global__ void points_aos(const Point* points, float* largest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n) {
    float x = points[i].x;
    float y = points[i].y;
    float z = points[i].z;
    largest[i] = fmaxf(x, fmaxf(y, z));
  }
}
