// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "compile/kernel.h"
#include "support/source_root.h"

namespace tilestep::compile {

/// Front matter and body of a small kernel. Tests replace parts of it.
inline std::string sampleText() {
  return R"cu(/*---
title = "Scale"
sizes = { m = 4, n = 8 }
rules = [{ expr = "WIDTH * n <= 512", say = "WIDTH {WIDTH} is too wide for n {n}." }]

[tunable.WIDTH]
default = 16
range = [1, 64]

[launch]
block = ["WIDTH"]
grid = ["ceildiv(m * n, WIDTH)"]

[[operand]]
name = "P"
rows = "m"
columns = "n"
direction = "inout"

[[operand]]
name = "n"
kind = "scalar"
value = "m * n"
---*/
__global__ void scale(float* P, int n) {
  int i = blockIdx.x * WIDTH + threadIdx.x;
  if (i < n) P[i] = 2.0f * P[i];
}
)cu";
}

inline KernelSource sampleSource(std::string text = sampleText()) {
  return {"kernels/scale.cu", std::move(text), {}};
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  return at == std::string::npos ? "MISSING " + from : text.replace(at, from.size(), to);
}

/// The folder of the shipped kernels.
inline std::string kernelFolder() {
  return support::sourceRoot() + "/kernels";
}
inline std::string clangFolder() {
  return support::sourceRoot() + "/assets/clang";
}

}  // namespace tilestep::compile
