// SPDX-License-Identifier: Apache-2.0
// Messages that ptxas writes to NVRTC's log.
#include "compile/compilers/assembler_log.h"

#include <gtest/gtest.h>

#include <random>

namespace tilestep::compile::assembler_log_test {

const std::string kLog =
    "k.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n"
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function '_Z1kPi' for 'sm_75'\n"
    "ptxas info    : Function properties for _Z1kPi\n"
    "ptxas         .     16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 25 registers, used 0 barriers, 16 bytes cumulative stack size\n"
    "ptxas info    : Compile time = 2.094 ms\n"
    "ptxas info    : Function properties for _Z1fiPi\n"
    "ptxas         .     72 bytes stack frame, 32 bytes spill stores, 32 bytes spill loads\n";

TEST(AssemblerLog, RegistersAndFramesAreReadForEachFunction) {
  EXPECT_EQ(assembledIn(kLog), (ptx::Assembled{{"_Z1kPi", {25, 16}}, {"_Z1fiPi", {0, 72}}}));
  EXPECT_EQ(withoutAssembled(kLog),
            "k.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n");
  EXPECT_TRUE(assembledIn("").empty());
  EXPECT_FALSE(isRefusedByAssembler(kLog));
  // A kernel's source can make the compiler quote such text before the real output of ptxas.
  const std::string faked =
      "ptxas info    : Function properties for _Z1kPi\n"
      "ptxas info    : Used 1 registers\n" +
      kLog;
  EXPECT_EQ(assembledIn(faked), assembledIn(kLog));
  EXPECT_TRUE(assembledIn("  ptxas info    : Used 1 registers\n").empty());
  EXPECT_FALSE(isRefusedByAssembler("ptxas fatal   : Memory allocation failure\n"));
  EXPECT_EQ(shortageIn("ptxas fatal   : Memory allocation failure\n"), "Memory allocation failure");
  EXPECT_EQ(shortageIn("ptxas fatal   : (C7600) Register allocation failed with register count of "
                       "'255'. Compile the program with a higher register target\n"),
            "");
  EXPECT_FALSE(isRefusedByAssembler(
      "ptxas error   : Entry function 'k' uses too much shared data (0x10000 bytes)\n"));
  EXPECT_FALSE(isRefusedByAssembler("k.cu(3): error: line 3; error : ptxas\n"));
}

TEST(AssemblerLog, TheFewestRegistersOfSeveralGpusCount) {
  ptx::Assembled fewest{{"k", {70, 16}}, {"f", {0, 72}}, {"g", {0, 8}}};
  EXPECT_TRUE(mayExceedGpu(fewest, 1));
  EXPECT_FALSE(mayExceedGpu({{"k", {64, 0}}}, 1024));
  EXPECT_TRUE(mayExceedGpu({{"k", {65, 0}}}, 1024));
  EXPECT_FALSE(mayExceedGpu({{"k", {128, 0}}}, 512));
  EXPECT_TRUE(mayExceedGpu({{"k", {80, 0}}}, 800));  // A quarter of the registers holds six warps.
  EXPECT_FALSE(mayExceedGpu({{"k", {40, 64}}}, 256));  // Its own frame is not recursion.
  EXPECT_TRUE(mayExceedGpu({{"f", {0, 8}}}, 32));
  takeFewer({{"k", {48, 24}}, {"f", {0, 64}}, {"other", {9, 9}}}, fewest);
  EXPECT_EQ(fewest, (ptx::Assembled{{"k", {48, 16}}, {"f", {0, 64}}, {"g", {0, 0}}}));
  EXPECT_EQ(assembledIn(kLog + assembledText(fewest)).at("k").registers, 48U);
  EXPECT_EQ(assembledIn(assembledText(fewest)), fewest);
  EXPECT_EQ(withoutAssembled(assembledText(fewest)), "");
}

TEST(AssemblerLog, ARefusalIsReportedAtItsLine) {
  const std::string log =
      "ptxas application ptx input, line 5; error   : Instruction 'shfl' without '.sync' is not "
      "supported\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n";
  const std::string ptx =
      ".visible .entry k() {\n"
      ".loc\t1 2 5\n"
      "mov.u32 %r1, 0;\n"
      ".loc\t2 99 5\n"
      "shfl.down.b32 %r2, %r1, 1, 31;\n"
      ".loc\t1 3 5\n"
      "}\n"
      "\t.file\t1 \"/tmp/k.cu\"\n"
      "\t.file\t2 \"/usr/include/other.h\"\n";
  ASSERT_TRUE(isRefusedByAssembler(log));
  const KernelSource source{"k.cu", "one\ntwo\nthree\n", {}, {}};
  const Error error = assemblerError(log, ptx, source);
  EXPECT_EQ(error.kind, ErrorKind::request);
  EXPECT_EQ(
      error.message,
      "ptxas, which generates the machine code, rejects this: Instruction 'shfl' without '.sync' "
      "is not supported; use the form with .sync, as __shfl_down_sync and similar functions do");
  ASSERT_TRUE(error.where);
  EXPECT_EQ(error.where->file, "k.cu");
  EXPECT_EQ(error.where->line, 2);
  EXPECT_EQ(error.sourceLine, "two");
  // The parser of ptxas reports errors as "fatal".
  const std::string fatal =
      "ptxas application ptx input, line 3; fatal   : Parsing error near ';'\n";
  ASSERT_TRUE(isRefusedByAssembler(fatal));
  EXPECT_EQ(assemblerError(fatal, ptx, source).where->line, 2);
  const std::string nowhere = "ptxas fatal   : Unresolved extern function '_Z1fi'\n";
  ASSERT_TRUE(isRefusedByAssembler(nowhere));
  const Error missing = assemblerError(nowhere, ptx, source);
  EXPECT_EQ(
      missing.message,
      "ptxas, which generates the machine code, rejects this: Unresolved extern function '_Z1fi'; "
      "it is declared but not defined in this file");
  ASSERT_TRUE(missing.where);
  EXPECT_EQ(missing.where->line, 0);
}

TEST(AssemblerLog, DamagedLogsAreReadWithoutCrashing) {
  std::mt19937 random(1);
  const KernelSource source{"k.cu", "text\n", {}, {}};
  for (int i = 0; i < 5'000; ++i) {
    std::string log = kLog + "ptxas input, line 3; error   : no\n";
    for (int change = 0; change < 8; ++change)
      log[random() % log.size()] = "\n :0.,'9p"[random() % 9];
    static_cast<void>(assembledIn(log));
    static_cast<void>(withoutAssembled(log));
    static_cast<void>(assemblerError(log, log, source));
  }
}

}  // namespace tilestep::compile::assembler_log_test
