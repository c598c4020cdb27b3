// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/results.h"
#include "system/run_support.h"

namespace tilestep::system_test::run_json_test {

using nlohmann::json;

json oddProduct() {
  return runJson({"matmul_tiled", "--m", "100", "--n", "37", "--k", "61", "--set", "TILE_WIDTH=16",
                  "--counters", "--check", "--trace", "2,1"});
}

TEST(RunJson, DescribesTheRun) {
  const json run = oddProduct();
  EXPECT_EQ(run["schema"], 1);
  EXPECT_EQ(run["kernel"], "matmul_tiled");
  EXPECT_TRUE(run["source"].get<std::string>().ends_with("kernels/matmul_tiled.cu"));
  EXPECT_EQ(run["device"],
            (json{{"id", "simt"}, {"name", "SIMT interpreter"}, {"compute_capability", nullptr}}));
  EXPECT_EQ(run["compiler"]["arch"], "compute_75");
  EXPECT_TRUE(run["compiler"]["ms"].is_number());
  EXPECT_EQ(run["sizes"], (json{{"m", 100}, {"n", 37}, {"k", 61}}));
  EXPECT_EQ(run["tunables"], (json{{"TILE_WIDTH", 16}}));
  EXPECT_EQ(run["launch"]["grid"], json::array({3, 7, 1}));
  EXPECT_EQ(run["launch"]["block"], json::array({16, 16, 1}));
  EXPECT_EQ(run["launch"]["shared_bytes"], 2048);
  EXPECT_EQ(run["launch"]["registers"], nullptr);
  EXPECT_EQ(run["measurement"], nullptr) << "the interpreter gives no times";
  EXPECT_EQ(run["faults"], json::array());
  EXPECT_EQ(run["output_hash"].get<std::string>().size(), 16U);
}

TEST(RunJson, TheInterpreterExplainsItsMissingTimeline) {
  const json run = runJson({"matmul_naive", "--size", "8", "--timeline"});
  EXPECT_TRUE(has(run["timeline"]["absent"].get<std::string>(), "gives no times"));
  EXPECT_FALSE(run["timeline"].contains("columns"));
  EXPECT_EQ(run["faults"], json::array());
}

TEST(RunJson, TheTraceShowsTheChosenBlock) {
  const json trace = oddProduct()["trace"];
  EXPECT_EQ(trace["block"], json::array({2, 1, 0}));
  EXPECT_EQ(trace["block_shape"], json::array({16, 16, 1}));
  EXPECT_EQ(trace["truncated"], false);
  EXPECT_EQ(trace["uneven"], false);
  EXPECT_EQ(trace["accumulators"], 1);
  ASSERT_EQ(trace["shared_arrays"].size(), 2U);
  EXPECT_EQ(trace["shared_arrays"][1]["name"], "Nds");
  EXPECT_EQ(trace["shared_arrays"][1]["columns"], 16);
  const json& columns = trace["columns"];
  const size_t events = trace["events"];
  for (const auto& [name, column] : columns.items()) {
    const bool byEvent = name != "offset" && name != "value";
    EXPECT_TRUE(!byEvent || column.size() == events) << name << ": " << column.size();
  }
  // Column 2 of tiles begins at column 32 of N; 5 of its 16 columns exist.
  const auto isLoad = [&](size_t i) {
    return columns["operation"][i] == "load" && columns["space"][i] == "global";
  };
  size_t lanes = 0;
  for (size_t i = 0; i < events; ++i) {
    if (!isLoad(i) || columns["buffer"][i] != 1) continue;
    const size_t count = static_cast<size_t>(__builtin_popcount(columns["mask"][i]));
    for (size_t lane = 0; lane < count; ++lane) {
      const size_t at = columns["lane_start"][i].get<size_t>() + lane;
      const uint64_t column = columns["offset"][at].get<uint64_t>() / 4 % 37;
      EXPECT_GE(column, 32U);
    }
    lanes += count;
  }
  EXPECT_EQ(lanes, 61U * 5);
}

}  // namespace tilestep::system_test::run_json_test
