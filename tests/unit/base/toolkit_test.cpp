// SPDX-License-Identifier: Apache-2.0
#include "base/toolkit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "support/environment.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/service.h"

namespace tilestep::toolkit_test {

const support::OwnProcess ownProcess{"Toolkit"};

using support::Environment;

constexpr std::array kInside{"lib64", "lib"};
constexpr std::array kNames{"libx.so", "libx.so.13"};

TEST(Toolkit, IsSearchedForInCudaHomeFirst) {
  const Environment shown("TILESTEP_TOOLKIT", nullptr), home("CUDA_HOME", "/opt/a"),
      path("CUDA_PATH", "/opt/b");
  const auto paths = valueOrThrow(toolkitPaths(kInside, kNames));
  const std::vector<std::string> first(paths.begin(), paths.begin() + 5);
  EXPECT_EQ(first, (std::vector<std::string>{"/opt/a/lib64/libx.so", "/opt/a/lib64/libx.so.13",
                                             "/opt/a/lib/libx.so", "/opt/a/lib/libx.so.13",
                                             "/opt/b/lib64/libx.so"}));
  // The loader's search comes before /usr/local. Paths of a loaded NVRTC may precede it.
  const std::vector<std::string> lastFirst(paths.rbegin(), paths.rend());
  const auto loader = std::ranges::find(lastFirst, "libx.so");
  const auto usual = std::ranges::find(lastFirst, "/usr/local/cuda/lib64/libx.so");
  ASSERT_NE(usual, lastFirst.end());
  EXPECT_LT(usual, loader);
}

TEST(Toolkit, ToolkitsAreSortedByVersion) {
  const support::TemporaryFolder folder("toolkits");
  for (const char* name : {"cuda-9.2", "cuda-13.0", "cuda-12", "cuda-12.10", "cuda-12.9",
                           "cuda-old", "cuda-gdb", "other-14.0"})
    std::filesystem::create_directory(folder.path(name));
  std::vector<std::string> names;
  for (const std::string& path : toolkitsIn(folder.path()))
    names.push_back(std::filesystem::path(path).filename().string());
  EXPECT_EQ(names, (std::vector<std::string>{"cuda", "cuda-13.0", "cuda-12.10", "cuda-12.9",
                                             "cuda-12", "cuda-9.2", "cuda-old", "cuda-gdb"}));
}

TEST(Toolkit, NoneHidesTheToolkit) {
  const Environment hidden("TILESTEP_TOOLKIT", "none"), home("CUDA_HOME", "/opt/a");
  ASSERT_TRUE(isToolkitHidden());
  EXPECT_TRUE(*isToolkitHidden());
  const auto paths = toolkitPaths(kInside, kNames);
  ASSERT_FALSE(paths);
  EXPECT_EQ(paths.error().message, "TILESTEP_TOOLKIT=none hides the CUDA Toolkit");
}

TEST(Toolkit, AnEmptyVariableHidesNothing) {
  const Environment empty("TILESTEP_TOOLKIT", "");
  ASSERT_TRUE(isToolkitHidden());
  EXPECT_FALSE(*isToolkitHidden());
}

TEST(Toolkit, AnInvalidValueIsAnError) {
  const Environment wrong("TILESTEP_TOOLKIT", "no");
  const auto hidden = isToolkitHidden();
  ASSERT_FALSE(hidden);
  EXPECT_EQ(hidden.error().kind, ErrorKind::request);
  EXPECT_EQ(hidden.error().message,
            "TILESTEP_TOOLKIT is no; set it to none, which hides the CUDA Toolkit, or unset it");
  EXPECT_FALSE(toolkitPaths(kInside, kNames));
}

}  // namespace tilestep::toolkit_test
