/*---
# SPDX-License-Identifier: Apache-2.0
title = "Branch by thread parity"
summary = "Even threads take one path, odd threads the other: every warp diverges and runs both, with half of its lanes idle each time."
operations = "n * ROUNDS"
sizes = { n = 1048576 }
rules = [
  { expr = "n < 2^31 - 1024", say = "{n} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.BLOCK]
default = 256
range = [32, 1024]
step = 32
title = "threads per block"

[tunable.ROUNDS]
default = 16
range = [0, 1024]
title = "additions on either path"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, BLOCK)"]

[[operand]]
name = "out"
rows = 1
columns = "n"
direction = "out"
expect = "i % 2 == 0 ? ROUNDS : 2 * ROUNDS"

[[operand]]
name = "n"
kind = "scalar"

[[operand]]
name = "rounds"
kind = "scalar"
value = "ROUNDS"
---*/

// Both paths cost the same. Here neighbouring threads take different paths; in branch_warp_parity
// neighbouring warps do.
__global__ void branch_thread_parity(float* out, int n, int rounds) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;

  float value = 0.0f;
  if (i % 2 == 0) {
    for (int round = 0; round < rounds; ++round) {
      value += 1.0f;
    }
  } else {
    for (int round = 0; round < rounds; ++round) {
      value += 2.0f;
    }
  }
  out[i] = value;
}
