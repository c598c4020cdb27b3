/*---
# SPDX-License-Identifier: Apache-2.0
title = "An array of structures"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "particles"
extent = "6 * n"
direction = "inout"

[[operand]]
name = "n"
kind = "scalar"
---*/

struct Particle {
  float x, y, z, vx, vy, vz;
};

// Lanes are 24 bytes apart: every load takes a part of each sector only.
__global__ void array_of_structs(Particle* particles, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle p = particles[i];
  p.x += 0.1f * p.vx;
  p.y += 0.1f * p.vy;
  p.z += 0.1f * p.vz;
  if (p.z < 0.0f) p.vz = -p.vz;
  particles[i] = p;
}
