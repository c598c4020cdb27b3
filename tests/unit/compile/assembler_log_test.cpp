// SPDX-License-Identifier: Apache-2.0
// What ptxas says in NVRTC's log.
#include "compile/compilers/assembler_log.h"

#include <gtest/gtest.h>

#include <random>

namespace tilestep::compile {
namespace assembler_log_test {

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

TEST(AssemblerLog, HoldsRegistersAndFramesByFunction) {
  EXPECT_EQ(assembledIn(kLog), (ptx::Assembled{{"_Z1kPi", {25, 16}}, {"_Z1fiPi", {0, 72}}}));
  EXPECT_EQ(withoutAssembled(kLog),
            "k.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n");
  EXPECT_TRUE(assembledIn("").empty());
  EXPECT_FALSE(isRefusedByAssembler(kLog));
}

TEST(AssemblerLog, TheFewestOfSeveralGpusCount) {
  ptx::Assembled fewest{{"k", {70, 16}}, {"f", {0, 72}}, {"g", {0, 8}}};
  EXPECT_TRUE(mayBeTooMuch(fewest, 1));
  EXPECT_FALSE(mayBeTooMuch({{"k", {64, 0}}}, 1024));
  EXPECT_TRUE(mayBeTooMuch({{"k", {65, 0}}}, 1024));
  EXPECT_FALSE(mayBeTooMuch({{"k", {128, 0}}}, 512));
  EXPECT_TRUE(mayBeTooMuch({{"f", {0, 8}}}, 32));
  takeFewer({{"k", {48, 24}}, {"f", {0, 64}}, {"other", {9, 9}}}, fewest);
  EXPECT_EQ(fewest, (ptx::Assembled{{"k", {48, 16}}, {"f", {0, 64}}, {"g", {0, 0}}}));
  EXPECT_EQ(assembledIn(kLog + assembledText(fewest)).at("k").registers, 48U);
  EXPECT_EQ(assembledIn(assembledText(fewest)), fewest);
  EXPECT_EQ(withoutAssembled(assembledText(fewest)), "");
}

/// A file can have its own text quoted before what ptxas says.
TEST(AssemblerLog, WhatPtxasSaysItselfCounts) {
  const std::string faked =
      "ptxas info    : Function properties for _Z1kPi\n"
      "ptxas info    : Used 1 registers\n" +
      kLog;
  EXPECT_EQ(assembledIn(faked), assembledIn(kLog));
  EXPECT_TRUE(assembledIn("  ptxas info    : Used 1 registers\n").empty());
}

TEST(AssemblerLog, ARefusalIsToldAtItsLine) {
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
  EXPECT_EQ(error.message,
            "ptxas, which makes the machine code, refuses this: Instruction 'shfl' without '.sync' "
            "is not supported");
  ASSERT_TRUE(error.where);
  EXPECT_EQ(error.where->file, "k.cu");
  EXPECT_EQ(error.where->line, 2);
  EXPECT_EQ(error.sourceLine, "two");
  // Without a line, the file is what is wrong all the same.
  const Error whole = assemblerError("ptxas error   : Entry function uses too much\n", "", source);
  ASSERT_TRUE(whole.where);
  EXPECT_EQ(whole.where->line, 0);
  // A lack of memory is not the file's doing.
  const Error fatal = assemblerError("ptxas fatal   : Memory allocation failure\n", "", source);
  EXPECT_EQ(fatal.kind, ErrorKind::work);
  EXPECT_EQ(fatal.message,
            "ptxas, which makes the machine code, failed: Memory allocation failure");
  EXPECT_FALSE(fatal.where);
}

TEST(AssemblerLog, AnyTextIsRead) {
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

}  // namespace assembler_log_test
}  // namespace tilestep::compile
