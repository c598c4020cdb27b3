// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/what_if.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/lab.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::lab::what_if_test {

DeviceFile known(const std::string& id) {
  auto file = readDeviceFile(support::sourceRoot() + "/assets/devices/" + id + ".toml");
  EXPECT_TRUE(file);
  return std::move(file).value();
}

/// A product of square matrices. Its lanes request `askedPerFlop` bytes per operation.
RunResult product(uint32_t width, double side, double askedPerFlop) {
  RunResult result;
  result.plan.operations = 2 * side * side * side;
  result.plan.launches = {{"matmul", {1, 1, 1}, {width, width, 1}}};
  result.sharedBytes = 8 * width * width;
  for (int i = 0; i < 3; ++i) {
    compile::ResolvedOperand matrix;
    matrix.elements = static_cast<uint64_t>(side * side);
    result.plan.operands.push_back(matrix);
  }
  result.counters.emplace();
  result.counters->total.globalLoad.bytes =
      static_cast<uint64_t>(askedPerFlop * result.plan.operations);
  return result;
}

const Bound& boundOf(const WhatIf& there, bool minimum) {
  for (const Bound& bound : there.bounds) {
    if (bound.minimum == minimum) return bound;
  }
  ADD_FAILURE() << "no such bound";
  static const Bound none;
  return none;
}

TEST(WhatIf, TheTextbooksBoundsOnThe8800) {
  const DeviceFile gpu = known("geforce-8800-gtx");
  // The naive kernel has 0.25 FLOP/B, so 21.6 GFLOPS. 16 x 16 tiles request a sixteenth of the
  // bytes, so the bound is 345.6 GFLOPS.
  const WhatIf naive = whatIf(gpu, product(16, 1024, 4));
  EXPECT_NEAR(boundOf(naive, false).flopPerSecond, 21.6e9, 1e6);
  EXPECT_TRUE(boundOf(naive, false).byMemory);
  EXPECT_NEAR(*naive.ridgeFlopPerByte, 367 / 86.4, 1e-9);
  const WhatIf tiled = whatIf(gpu, product(16, 1024, 0.25));
  EXPECT_NEAR(boundOf(tiled, false).flopPerSecond, 345.6e9, 1e6);
  EXPECT_NEAR(boundOf(tiled, true).flopPerSecond, 367e9, 1e6);  // The peak.
  EXPECT_FALSE(boundOf(tiled, true).byMemory);
  EXPECT_EQ(tiled.occupancy->blocks, 3U);
  EXPECT_DOUBLE_EQ(tiled.occupancy->ratio(), 1);
}

TEST(WhatIf, ABlockThatCannotRunHasNoBounds) {
  const WhatIf there = whatIf(known("geforce-8800-gtx"), product(32, 1024, 0.125));
  EXPECT_EQ(there.refusal(), "a block has 1024 threads; this device allows at most 512");
  EXPECT_TRUE(there.bounds.empty());
}

TEST(WhatIf, RegistersAreUnknownOrMarkedAsAssumed) {
  RunResult result = product(16, 1024, 0.25);
  const DeviceFile gpu = known("geforce-8800-gtx");
  EXPECT_EQ(whatIf(gpu, result).registers, Registers{});
  const WhatIf eleven = whatIf(gpu, result, 11);
  EXPECT_EQ(eleven.registers.from, Registers::From::assumed);
  EXPECT_EQ(eleven.occupancy->warps * 32, 512U);
  EXPECT_EQ(whatIf(gpu, result, 10).occupancy->warps * 32, 768U);
  result.registers = 32;
  EXPECT_EQ(whatIf(gpu, result).registers.from, Registers::From::machineCode);
  EXPECT_EQ(whatIf(gpu, result, 10).registers.count, 10U);
}

TEST(WhatIf, JsonMarksItAsComputed) {
  const RunResult result = product(16, 1024, 0.25);
  EXPECT_FALSE(has(toJson(result), "what_if"));
  const auto json = nlohmann::json::parse(toJson(
      result, {whatIf(known("geforce-8800-gtx"), result), whatIf(known("tesla-t4"), result)}));
  const auto& there = json["what_if"];
  ASSERT_EQ(there.size(), 2U);
  EXPECT_EQ(there[0]["device"], "geforce-8800-gtx");
  EXPECT_EQ(there[0]["origin"], "computed");
  EXPECT_TRUE(there[0]["registers"].is_null());
  EXPECT_EQ(there[0]["registers_from"], "unknown");
  EXPECT_TRUE(there[0]["refusal"].is_null());
  EXPECT_EQ(there[0]["occupancy"]["blocks"], 3);
  EXPECT_EQ(there[0]["occupancy"]["limits"][1]["textbook_blocks"], 8);
  EXPECT_EQ(there[0]["bounds"].size(), 2U);
}

}  // namespace tilestep::lab::what_if_test
