// SPDX-License-Identifier: Apache-2.0
// What nvcc's exit status and its log say of a file.
#include "compile/compilers/nvcc_answer.h"

#include <gtest/gtest.h>

#include "base/process/confine.h"

namespace tilestep::compile {
namespace nvcc_answer_test {

using Kind = NvccAnswer::Kind;

const std::string kMistake = "k.cu(3): error: no such thing\n";

Result<NvccAnswer> answerTo(const std::string& text, const std::string& log, int exitStatus = 1) {
  return nvccAnswer({exitStatus, false, log}, {"k.cu", text, {}, {}});
}

/// The answer to a program with the kernel in lines 2 to 4.
Result<NvccAnswer> answer(const std::string& log, int exitStatus = 1) {
  return answerTo(
      "#include <cstdio>\n__global__ void f(float* p) {\n  p[0] = 1;\n}\nint main() { f(0); }\n",
      log, exitStatus);
}

TEST(NvccAnswer, ItsErrorsAreOfTheDeviceOrOfTheHost) {
  const std::string host = "k.cu(5): error: a __global__ function call must be configured\n";
  const auto ofHost = answer(host), ofBoth = answer(host + "\n" + kMistake + "    p[0] = 1;\n");
  ASSERT_TRUE(ofHost.ok() && ofBoth.ok());
  EXPECT_EQ(ofHost->kind, Kind::refuses);
  EXPECT_FALSE(ofHost->isOfDevice);
  EXPECT_EQ(ofHost->error->where->line, 5);
  EXPECT_TRUE(ofBoth->isOfDevice);
  EXPECT_EQ(ofBoth->error->message, "no such thing");
  EXPECT_EQ(ofBoth->error->sourceLine, "  p[0] = 1;");
}

TEST(NvccAnswer, ALineOfTheHostOrWithAnIncludeIsNoneOfTheDevice) {
  const auto shared =
      answerTo("__global__ void f(float* p) {\n  p[0] = 1;\n} int main() { f(0); }\n", kMistake);
  ASSERT_TRUE(shared.ok());
  EXPECT_FALSE(shared->isOfDevice) << "main begins on the kernel's last line";
  for (const char* line : {"#include \"timer.h\"", "# include <cstdio>"}) {
    const auto include =
        answerTo("__global__ void f(float* p) {}\n\n" + std::string(line) + "\n", kMistake);
    ASSERT_TRUE(include.ok());
    EXPECT_FALSE(include->isOfDevice) << line;
  }
  const auto kernel =
      answerTo("__global__ void f(float* p) {\n\n  g(p, \"include\");\n}\n", kMistake);
  ASSERT_TRUE(kernel.ok());
  EXPECT_TRUE(kernel->isOfDevice);
}

TEST(NvccAnswer, WhatItLacksSaysNothingOfTheFile) {
  for (const char* log :
       {"k.cu:1:10: fatal error: timer.h: No such file or directory",
        "k.cu:1:10: fatal error: /root/timer.h: Permission denied",
        "nvcc fatal   : Unsupported gpu architecture 'compute_75'",
        "ptxas /tmp/x.ptx, line 25; error   : Instruction 'shfl' without '.sync'"}) {
    const auto unknown = answer(log);
    ASSERT_TRUE(unknown.ok()) << log;
    EXPECT_EQ(unknown->kind, Kind::unknown) << log;
  }
}

/// The log quotes the file, so a text may put anything in front of and behind a mistake.
TEST(NvccAnswer, ATextCannotTakeItAway) {
  for (const std::string& quoted :
       {std::string("  const char* z = R\"(: fatal error: y: No such file or directory"),
        std::string("ptxas error   : no"),
        std::string("nvcc error   : 'cicc' died due to signal 9"),
        std::string("f cannot be confined: y"),
        std::string("a.h(1): catastrophic error: out of memory")}) {
    for (const std::string& log : {kMistake + quoted, quoted + "\n" + kMistake}) {
      const auto refused = answer(log);
      ASSERT_TRUE(refused.ok()) << log;
      EXPECT_EQ(refused->kind, Kind::refuses) << log;
      EXPECT_TRUE(refused->isOfDevice) << log;
    }
  }
}

TEST(NvccAnswer, PtxasMayEndWithAnyStatus) {
  const auto unknown = answer(
      "ptxas error   : File uses too much global constant data (0x10004 bytes, 0x10000 max)", 255);
  ASSERT_TRUE(unknown.ok()) << unknown.error().message;
  EXPECT_EQ(unknown->kind, Kind::unknown);
}

TEST(NvccAnswer, ALackOfTheMachineIsNone) {
  for (const char* log :
       {"/usr/include/c++/12/vector(390): catastrophic error: out of memory",
        "k.cu(3): catastrophic error: out of memory",
        "nvcc error   : 'cicc' died due to signal 9 (Kill signal)", "cc1plus: out of memory", ""}) {
    const auto none = answer(log);
    ASSERT_FALSE(none.ok()) << log;
    EXPECT_EQ(none.error().kind, ErrorKind::work) << none.error().message;
  }
  const auto said = answer("k.cu(3): error: static assertion failed with \"out of memory\"");
  ASSERT_TRUE(said.ok()) << "what the file says of itself is none";
  EXPECT_TRUE(said->isOfDevice);
  const auto quoted = answer(kMistake + "  printf(\"out of memory\");");
  ASSERT_TRUE(quoted.ok()) << "what a line of the file says is no lack";
  EXPECT_EQ(quoted->kind, Kind::refuses);
}

TEST(NvccAnswer, WhichTimeWasOverIsSaid) {
  const CommandResult ran{137, true, "", "60.0 s of processor time"};
  const auto none = nvccAnswer(ran, {"k.cu", "__global__ void f() {}\n", {}, {}});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message,
            "nvcc gave no answer: it had not ended after 60.0 s of processor time");
  EXPECT_TRUE(none.error().late);
  EXPECT_FALSE(answer("k.cu(3): catastrophic error: out of memory").error().late);
}

TEST(NvccAnswer, TheMachineIsAtFaultForWhatAnotherTimeMayBring) {
  EXPECT_TRUE(machinesFault({137, true, ""})) << "it took too long";
  EXPECT_TRUE(machinesFault({139, false, ""})) << "a signal ended it";
  EXPECT_TRUE(machinesFault({1, false, "sh: fork: Resource temporarily unavailable"}));
  EXPECT_TRUE(
      machinesFault({kCannotRun, false, "cannot start nvcc: Resource temporarily unavailable"}));
  EXPECT_TRUE(machinesFault({kCannotRun, false, "nvcc cannot be confined: Invalid argument"}));
  EXPECT_FALSE(machinesFault({kCannotRun, false, "cannot start nvcc: Exec format error"}));
  EXPECT_FALSE(machinesFault({1, false, "sh: 1: gcc: not found"}));
  EXPECT_FALSE(machinesFault({0, false, ""}));
}

TEST(NvccAnswer, ItsVersionAndItsNewestArchitectureAreRead) {
  EXPECT_EQ(nvccVersion("Cuda compilation tools, release 13.0, V13.0.88"), "13.0");
  EXPECT_EQ(nvccVersion("no"), "");
  EXPECT_EQ(newestArch("compute_75\ncompute_121\n"), "compute_121");
  EXPECT_EQ(newestArch("no"), "");
}

}  // namespace nvcc_answer_test
}  // namespace tilestep::compile
