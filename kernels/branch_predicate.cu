/*---
# SPDX-License-Identifier: Apache-2.0
title = "Branch by predicate"
summary = "Thread parity again, but the two paths are short: they only choose one number."
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

// Each path only chooses one number. Compare the PTX of these short paths with the PTX of the two
// loops in branch_thread_parity.
__global__ void branch_predicate(float* out, int n, int rounds) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;

  bool even = i % 2 == 0;
  float step = 0.0f;
  if (even) step = 1.0f;
  if (!even) step = 2.0f;

  float value = 0.0f;
  for (int round = 0; round < rounds; ++round) {
    value += step;
  }
  out[i] = value;
}
