// SPDX-License-Identifier: Apache-2.0
// mma.sync of tf32, compared with a product in double, element by element.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "machine.h"
#include "simt/engines.h"
#include "support/results.h"

namespace tilestep::simt::matrix_test {

constexpr uint32_t kRows = 16, kColumns = 8;
using Matrix = std::vector<float>;

float kept(float value) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & 0xffffe000u);
}

/// The fragments of each lane, laid out as in the PTX ISA: four values of a, two of b, four of c.
std::vector<float> fragments(const Matrix& a, const Matrix& b, const Matrix& c, uint32_t depth) {
  std::vector<float> out;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t g = lane / 4, t = lane % 4;
    const auto ofA = [&](uint32_t row, uint32_t k) { return k < depth ? a[row * depth + k] : 0; };
    const auto ofB = [&](uint32_t k) { return k < depth ? b[k * kColumns + g] : 0; };
    for (const float value : {ofA(g, t), ofA(g + 8, t), ofA(g, t + 4), ofA(g + 8, t + 4), ofB(t),
                              ofB(t + 4), c[g * kColumns + 2 * t], c[g * kColumns + 2 * t + 1],
                              c[(g + 8) * kColumns + 2 * t], c[(g + 8) * kColumns + 2 * t + 1]}) {
      out.push_back(value);
    }
  }
  return out;
}

Matrix gathered(const std::vector<float>& lanes) {
  Matrix d(size_t{kRows} * kColumns);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < 4; ++i) {
      d[(lane / 4 + i / 2 * 8) * kColumns + lane % 4 * 2 + i % 2] = lanes[lane * 4 + i];
    }
  }
  return d;
}

const char* textOf(uint32_t depth) {
  return depth == 8 ? "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                      "{%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
                      "{%f1, %f2, %f3, %f4};\n"
                    : "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
                      "{%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r5}, {%f1, %f2, %f3, %f4};\n";
}

std::string programOf(const std::string& product) {
  std::string text = "mul.wide.u32 %rd1, %r31, 40; add.s64 %rd1, %rd30, %rd1;\n";
  for (int i = 0; i < 6; ++i) {
    text +=
        "ld.global.b32 %r" + std::to_string(i + 1) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
  }
  for (int i = 0; i < 4; ++i) {
    text += "ld.global.f32 %f" + std::to_string(i + 1) + ", [%rd1+" + std::to_string(24 + 4 * i) +
            "];\n";
  }
  return text + product +
         "mul.wide.u32 %rd2, %r31, 16; add.s64 %rd2, %rd31, %rd2;\n"
         "st.global.v4.f32 [%rd2], {%f1, %f2, %f3, %f4};";
}

Matrix product(const std::string& text, const std::vector<float>& in, const Engine* engine) {
  Machine machine(programOf(text));
  machine.buffer("in", in).buffer("out", std::vector<float>(128)).engine(engine).runWell();
  return gathered(machine.values<float>(1));
}

Matrix random(size_t count, uint32_t seed) {
  std::mt19937 bits(seed);
  Matrix values(count);
  for (float& value : values) value = static_cast<float>(bits()) / 2147483648.0f - 1;
  return values;
}

TEST(Matrix, FactorsAreTruncatedToTf32) {
  for (const uint32_t depth : {4U, 8U}) {
    const Matrix a = random(size_t{kRows} * depth, 1), b = random(size_t{depth} * kColumns, 2),
                 c = random(size_t{kRows} * kColumns, 3);
    for (const Engine* engine : engines()) {
      const Matrix d = product(textOf(depth), fragments(a, b, c, depth), engine);
      double unrounded = 0;
      for (uint32_t row = 0; row < kRows; ++row) {
        for (uint32_t column = 0; column < kColumns; ++column) {
          double sum = static_cast<double>(c[row * kColumns + column]), whole = sum;
          for (uint32_t k = 0; k < depth; ++k) {
            const float x = a[row * depth + k], y = b[k * kColumns + column];
            sum += static_cast<double>(kept(x)) * static_cast<double>(kept(y));
            whole += static_cast<double>(x) * static_cast<double>(y);
          }
          EXPECT_EQ(d[row * kColumns + column], static_cast<float>(sum))
              << engine->name << " row " << row << " column " << column << " depth " << depth;
          unrounded = std::max(unrounded, std::abs(sum - whole));
        }
      }
      EXPECT_GT(unrounded, 1e-4);  // Otherwise the test could not detect truncation.
    }
  }
}

TEST(Matrix, NaNIsCanonical) {
  Matrix a(size_t{kRows} * 8, 1.0f), b(size_t{8} * kColumns, 1.0f), c(size_t{kRows} * kColumns);
  a[3 * 8 + 5] = std::bit_cast<float>(0xffc12000u);
  const Matrix d = product(textOf(8), fragments(a, b, c, 8), nullptr);
  for (uint32_t i = 0; i < kRows * kColumns; ++i) {
    const uint32_t bits = std::bit_cast<uint32_t>(d[i]);
    EXPECT_EQ(bits, i / kColumns == 3 ? 0x7fffffffu : 0x41000000u) << i;
  }
}

// Diverged lanes wait for each other at the product, as at every warp-level operation.
TEST(Matrix, WaitsForAllLanes) {
  const Matrix a = random(128, 4), b = random(64, 5), c = random(128, 6);
  const auto in = fragments(a, b, c, 8);
  const std::string apart = "setp.lt.u32 %p1, %r31, 9;\n@%p1 bra LESS;\n" + std::string(textOf(8)) +
                            "bra DONE;\nLESS:\nadd.f32 %f5, %f1, %f1;\n" + textOf(8) + "DONE:\n";
  // If each half of the lanes reaches a different mma.sync, neither half can continue.
  Machine machine(programOf(apart));
  machine.buffer("in", in).buffer("out", std::vector<float>(128));
  EXPECT_TRUE(faulted(machine.run(), "deadlock"));
  const std::string before =
      "setp.lt.u32 %p1, %r31, 9;\n@%p1 bra LESS;\nadd.f32 %f5, %f1, %f1;\nLESS:\n";
  EXPECT_EQ(product(before + textOf(8), in, nullptr), product(textOf(8), in, nullptr));
}

// The four sums of a product are recorded as four events, in the order of its results.
TEST(Matrix, IsTracedAsFourSums) {
  const Matrix a = random(128, 7), b = random(64, 8), c = random(128, 9);
  Machine machine(programOf(textOf(8) + std::string(textOf(8))));
  machine.buffer("in", fragments(a, b, c, 8)).buffer("out", std::vector<float>(128)).traced();
  const GridResult result = machine.runWell();
  const trace::BlockTrace& recording = *result.trace;
  EXPECT_EQ(recording.accumulators, 4U);
  std::vector<int16_t> sums;
  std::vector<float> last(128);
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    if (event.operation != trace::Operation::accumulate) continue;
    sums.push_back(event.buffer);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      std::memcpy(&last[lane * 4 + static_cast<size_t>(event.buffer)],
                  event.values.data() + lane * 4, 4);
    }
  }
  EXPECT_EQ(sums, (std::vector<int16_t>{0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(last, machine.values<float>(1));
}

}  // namespace tilestep::simt::matrix_test
