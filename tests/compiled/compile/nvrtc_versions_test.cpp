// SPDX-License-Identifier: Apache-2.0
// The choice of NVRTC: the newest one, or an older one for a GPU that the newest does not support.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "compile/compiler.h"
#include "support/environment.h"
#include "support/own_process.h"
#include "support/results.h"

namespace tilestep::compile::nvrtc_versions_test {

const support::OwnProcess ownProcess{"NvrtcVersions"};

namespace fs = std::filesystem;

class NvrtcVersions : public ::testing::Test {
 protected:
  void SetUp() override {
    base_ = fs::temp_directory_path() / ("tilestep-nvrtc-" + std::to_string(getpid()));
    startToolkit();
  }
  /// Uses a new folder, because the loader returns a library that it once loaded from the same
  /// path.
  void startToolkit() {
    static int number = 0;
    folder_ = base_ / std::to_string(++number);
    fs::create_directories(folder_ / "lib64");
    home_.reset();  // Restores the environment before the next guard stores it.
    home_ = std::make_unique<support::Environment>("CUDA_HOME", folder_.c_str());
  }
  void TearDown() override { fs::remove_all(base_); }
  void install(const char* library, const char* name) const {
    fs::copy_file(library, folder_ / "lib64" / name);
  }
  static std::string madeBy(Compiler& compiler, const std::string& arch) {
    CompileRequest request;
    request.source = {"test.cu", "", {}};
    request.arch = arch;
    std::string log;
    const Result<std::string> ptx = compiler.compile(request, log);
    return ptx ? *ptx : ptx.error().message;
  }
  static std::unique_ptr<Compiler> opened() {
    auto compiler = openNvrtc();
    return compiler ? std::move(*compiler) : nullptr;
  }
  fs::path base_, folder_;
  std::unique_ptr<support::Environment> home_;
  support::Environment shown_{"TILESTEP_TOOLKIT", nullptr};
};

TEST_F(NvrtcVersions, EachOfElevenTwelveAndThirteenIsFound) {
  const struct {
    const char *library, *name, *version;
  } kinds[] = {{FAKE_NVRTC_11, "libnvrtc.so.11.2", "11.4"},
               {FAKE_NVRTC_12, "libnvrtc.so.12", "12.4"},
               {FAKE_NVRTC_13, "libnvrtc.so.13", "13.4"},
               {FAKE_NVRTC_12, "libnvrtc.so", "12.4"}};
  for (const auto& kind : kinds) {
    startToolkit();
    install(kind.library, kind.name);
    const auto compiler = opened();
    ASSERT_NE(compiler, nullptr) << kind.name;
    EXPECT_EQ(compiler->version(), kind.version) << kind.name;
  }
}

TEST_F(NvrtcVersions, AnOldGpuGetsItsCodeFromAnOlderNvrtc) {
  install(FAKE_NVRTC_13, "libnvrtc.so.13");
  install(FAKE_NVRTC_12, "libnvrtc.so.12");
  const auto compiler = opened();
  ASSERT_NE(compiler, nullptr);
  EXPECT_EQ(compiler->version(), "13.4");
  EXPECT_EQ(madeBy(*compiler, "compute_75"), "made by 13");
  EXPECT_EQ(madeBy(*compiler, "compute_120"), "made by 13");
  EXPECT_EQ(madeBy(*compiler, "compute_61"), "made by 12");
}

TEST_F(NvrtcVersions, AMissingOlderNvrtcIsReportedWithARemedy) {
  install(FAKE_NVRTC_13, "libnvrtc.so.13");
  const auto compiler = opened();
  ASSERT_NE(compiler, nullptr);
  const std::string said = madeBy(*compiler, "compute_61");
  if (said.starts_with("made by") || said.find(".target sm_61") != std::string::npos) {
    return;  // This machine has an older NVRTC, which compiled it.
  }
  EXPECT_TRUE(has(said, "compute_61, which NVRTC 13.4 no longer generates"));
  EXPECT_TRUE(has(said, "CUDA Toolkit 12"));
}

}  // namespace tilestep::compile::nvrtc_versions_test
