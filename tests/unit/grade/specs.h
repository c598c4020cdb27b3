// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "compile/front_matter/spec.h"
#include "grade/trial.h"
#include "support/results.h"

/// Small specs for the tests of this folder.
namespace tilestep::grade {

/// P = M + N with m x n elements, by blocks of BLOCK x BLOCK threads; `more` is appended to the
/// spec.
inline compile::Spec sumSpec(const std::string& more = {}) {
  const std::string toml = R"toml(title = "Sum of matrices"
entry = "add"
reference = "sum"
operations = "m * n"
sizes = { m = 100, n = 100 }

[tunable.BLOCK]
default = 16
range = [1, 32]

[launch]
block = ["BLOCK", "BLOCK"]
grid = ["ceildiv(n, BLOCK)", "ceildiv(m, BLOCK)"]

[[operand]]
name = "M"
rows = "m"
columns = "n"

[[operand]]
name = "N"
rows = "m"
columns = "n"

[[operand]]
name = "P"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
)toml" + more;
  return valueOrThrow(compile::parseSpec("teacher.toml", toml));
}

inline constexpr const char* kSum =
    "__global__ void add(const float* M, const float* N, float* P, int m, int n) {\n"
    "  int col = blockIdx.x * BLOCK + threadIdx.x;\n"
    "  int row = blockIdx.y * BLOCK + threadIdx.y;\n"
    "  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];\n"
    "}\n";

/// Three launches with seed 1.
inline Assignment sumAssignment(const std::string& rules = "[grading]\ndrawn = 3\n") {
  Assignment assignment;
  assignment.spec = sumSpec("\n" + rules);
  Result<Rules> read = readRules(assignment.spec);
  EXPECT_TRUE(read.ok()) << (read ? "" : toString(read.error()));
  assignment.rules = std::move(read).value();
  assignment.launches = *hiddenLaunches(assignment.spec.kernel, assignment.rules, 1);
  return assignment;
}

}  // namespace tilestep::grade
