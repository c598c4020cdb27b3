// SPDX-License-Identifier: Apache-2.0
// The same experiment gives the same bytes with both compilers and in every order.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/toolkit.h"
#include "system/run_support.h"

namespace tilestep::system_test::determinism_test {

using nlohmann::json;
using support::Words;

class Determinism : public testing::TestWithParam<std::string> {
 protected:
  static json run(const Words& more = {}, const Words& environment = {}) {
    Words words{GetParam(), "--size", "100", "--counters", "--check"};
    words.insert(words.end(), more.begin(), more.end());
    return runJson(words, environment);
  }
};

TEST_P(Determinism, DoesNotDependOnThreadsOrOrder) {
  const json one = run({"--threads", "1"});
  for (const Words& more : {Words{"--threads", "2"}, Words{"--order", "7"}}) {
    const json other = run(more);
    EXPECT_EQ(one["output_hash"], other["output_hash"]) << more[0];
    EXPECT_EQ(one["counters"], other["counters"]) << more[0];
  }
}

TEST_P(Determinism, BothCompilersGiveTheSameBytes) {
  if (const std::string skip = support::skipWithout("nvrtc"); !skip.empty()) GTEST_SKIP() << skip;
  const json nvrtc = run({}, {"TILESTEP_COMPILER=nvrtc"}),
             clang = run({}, {"TILESTEP_COMPILER=clang"});
  EXPECT_EQ(nvrtc["compiler"]["name"], "nvrtc");
  EXPECT_EQ(clang["compiler"]["name"], "clang");
  EXPECT_EQ(nvrtc["output_hash"], clang["output_hash"]);
  for (const char* name : {"global_load_requests", "global_load_sectors", "global_store_sectors",
                           "global_load_bytes", "barriers", "shared_store_requests"}) {
    EXPECT_EQ(nvrtc["counters"]["total"][name], clang["counters"]["total"][name]) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Determinism,
                         testing::Values("matmul_naive", "matmul_tiled", "matmul_tiled_dynamic",
                                         "matmul_tiled_free", "matmul_tiled_swapped", "matrix_sum",
                                         "transpose"),
                         [](const auto& of) { return of.param; });

TEST(Seeds, ChangeTheInputs) {
  const auto hash = [](const char* seed) {
    return runJson({"matmul_tiled", "--size", "40", "--seed", seed})["output_hash"];
  };
  EXPECT_EQ(hash("1"), runJson({"matmul_tiled", "--size", "40"})["output_hash"]);
  EXPECT_NE(hash("1"), hash("2"));
}

TEST(Products, AllKernelsGiveTheSameBytes) {
  const auto hash = [](const char* kernel) {
    return runJson({kernel, "--m", "100", "--n", "37", "--k", "61"})["output_hash"];
  };
  const json naive = hash("matmul_naive");
  // Zeros past the edge are added last and change no sum, so all kernels add over k in the same
  // order.
  for (const char* kernel :
       {"matmul_tiled", "matmul_tiled_dynamic", "matmul_tiled_swapped", "matmul_tiled_free"}) {
    EXPECT_EQ(hash(kernel), naive) << kernel;
  }
}

}  // namespace tilestep::system_test::determinism_test
