// SPDX-License-Identifier: Apache-2.0
// Time limits of compilers, tested with scripts that use processor time or wait.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "compile/compiler.h"
#include "compile/compilers/clang_program.h"
#include "compile/compilers/compiler_messages.h"
#include "compile/compilers/compiler_process.h"
#include "support/results.h"
#include "support/service.h"

namespace tilestep::compile::compiler_time_test {

namespace fs = std::filesystem;
using std::chrono::hours;
using std::chrono::milliseconds;

constexpr const char* kBurns = "while :; do :; done\n";
constexpr const char* kWaits = "exec sleep 1000\n";

class CompilerTime : public testing::Test {
 protected:
  /// Writes a program that runs the script and returns its path.
  std::string program(const std::string& script) const {
    folder.write("program", "#!/bin/sh\n" + script);
    fs::permissions(folder.path("program"), fs::perms::owner_all);
    return folder.path("program");
  }
  [[nodiscard]] std::unique_ptr<Compiler> clang(const std::string& script) const {
    return clangCompiler({program(script), "30.0", folder.path("header/cuda_subset.h"), {}, {}});
  }
  /// Sends the first message of an NVRTC process and then runs the script.
  [[nodiscard]] std::unique_ptr<Compiler> nvrtc(const std::string& script) const {
    folder.write("greeting", packed({"nvrtc", "13.0", "1", ""}));
    return valueOrThrow(
        openNvrtcProcess(program("cat '" + folder.path("greeting") + "'\n" + script)));
  }
  static Error errorOf(Compiler& compiler, const TimeLimits& time) {
    CompileRequest request;
    request.source = {"k.cu", "__global__ void k() {}\n", {}, {}};
    request.limits.time = time;
    std::string log;
    const auto made = compiler.compile(request, log);
    EXPECT_FALSE(made.ok());
    return made ? Error{} : made.error();
  }
  /// 200 ms of processor time, and an hour on the clock.
  static TimeLimits shortOfProcessor() {
    TimeLimits limits{milliseconds(200)};
    limits.clock = hours(1);
    return limits;
  }
  /// An hour of processor time, and 50 ms on the clock.
  static TimeLimits shortOfClock() {
    TimeLimits limits{hours(1)};
    limits.clock = milliseconds(50);
    return limits;
  }

  support::TemporaryFolder folder{"compiler_time"};
};

TEST_F(CompilerTime, ACompilerIsStoppedByProcessorTimeOrTheClock) {
  const std::string busy = " needs more than 200 ms of processor time for k.cu; it was stopped";
  const std::string idle = " needs more than 50.0 ms for k.cu; it was stopped";
  for (const std::string name : {"clang", "NVRTC"}) {
    const auto started = [&](const char* script) {
      return name == "clang" ? clang(script) : nvrtc(script);
    };
    const std::unique_ptr<Compiler> burns = started(kBurns);
    ASSERT_NE(burns, nullptr);
    for (int compile = 0; compile < 2; ++compile) {  // NVRTC was ended and restarts.
      const Error error = errorOf(*burns, shortOfProcessor());
      EXPECT_EQ(error.message, name + busy);
      EXPECT_EQ(error.kind, ErrorKind::work);
      EXPECT_TRUE(error.late);
    }
    const std::unique_ptr<Compiler> waits = started(kWaits);
    ASSERT_NE(waits, nullptr);
    const Error error = errorOf(*waits, shortOfClock());
    EXPECT_EQ(error.message, name + idle);
    EXPECT_TRUE(error.late);
  }
}

/// The request is larger than a pipe's buffer, and the process reads nothing.
TEST_F(CompilerTime, ARequestThatIsNotReadIsLate) {
  const std::unique_ptr<Compiler> compiler = nvrtc(kWaits);
  ASSERT_NE(compiler, nullptr);
  CompileRequest request;
  request.source = {"k.cu", std::string(size_t{4} << 20, ' '), {}, {}};
  request.limits.time = shortOfClock();
  std::string log;
  const auto made = compiler->compile(request, log);
  ASSERT_FALSE(made.ok());
  EXPECT_TRUE(made.error().late) << made.error().message;
}

TEST_F(CompilerTime, AnNvrtcThatEndsIsNotLate) {
  const std::unique_ptr<Compiler> compiler = nvrtc("head -c 1 > /dev/null\nexit 3\n");
  ASSERT_NE(compiler, nullptr);
  const Error error = errorOf(*compiler, {hours(1)});
  EXPECT_TRUE(has(error.message, "NVRTC ended with"));
  EXPECT_FALSE(error.late);
}

}  // namespace tilestep::compile::compiler_time_test
