/*---
# SPDX-License-Identifier: Apache-2.0
title = "Where a word begins in a text"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "text"
type = "u8"
extent = "n"

[[operand]]
name = "word"
type = "u8"
extent = "2"

[[operand]]
name = "found"
type = "u8"
extent = "n"
direction = "out"

[[operand]]
name = "count"
type = "i32"
extent = "1"
direction = "inout"
fill = "zero"

[[operand]]
name = "n"
kind = "scalar"
---*/

// A letter is a byte's two lowest bits, so that words do occur.
__global__ void string_search(const unsigned char* text, const unsigned char* word,
                              unsigned char* found, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool same = i + 2 <= n;
  for (int j = 0; j < 2 && same; ++j) same = (text[i + j] & 3) == (word[j] & 3);
  found[i] = same;
  if (same) atomicAdd(count, 1);
}
