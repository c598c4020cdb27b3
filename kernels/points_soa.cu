/*---
# SPDX-License-Identifier: Apache-2.0
title = "Points as a structure of arrays"
summary = "Each thread finds the largest coordinate of one point. All x are next to each other, then all y, then all z, so neighbouring threads read neighbouring elements."
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
kind = "scalar"
fields = [{ pointer = "x" }, { pointer = "y" }, { pointer = "z" }]

[[operand]]
name = "x"
rows = 1
columns = "n"
fill = "zero"

[[operand]]
name = "y"
rows = 1
columns = "n"
fill = "ones"

[[operand]]
name = "z"
rows = 1
columns = "n"
fill = "index"

[[operand]]
name = "largest"
rows = 1
columns = "n"
direction = "out"
expect = "max(i, 1)"

[[operand]]
name = "n"
kind = "scalar"
---*/

struct Points {
  const float *x, *y, *z;
};

// A structure of arrays: in memory the coordinates are x0 x1 x2 … y0 y1 y2 … z0 z1 z2 …
__global__ void points_soa(Points points, float* largest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n) {
    float x = points.x[i];
    float y = points.y[i];
    float z = points.z[i];
    largest[i] = fmaxf(x, fmaxf(y, z));
  }
}
