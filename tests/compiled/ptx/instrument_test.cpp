// SPDX-License-Identifier: Apache-2.0
// The rewritten module parses, keeps the program unchanged, and is accepted by the assembler of the
// CUDA Toolkit if that is installed. tests/gpu checks its counts.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "compile/compiler.h"
#include "ptx/analysis/counted.h"
#include "ptx/rewrite/instrument_counting.h"
#include "ptx/rewrite/instrument_trace.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"
#include "support/results.h"
#include "support/skips.h"
#include "support/source_root.h"
#include "support/toolkit.h"

namespace tilestep::ptx::instrument_test {

Module parsed(const std::string& text) {
  Result<Module> module = parse(text);
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : toString(module.error()));
  return module.ok() ? *module : Module();
}

/// One entry with this body, after declarations of registers with the usual names.
Module withBody(const std::string& body, const std::string& more = "") {
  return parsed(".version 7.0\n.target sm_75\n.address_size 64\n" + more +
                ".visible .entry e(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n"
                ".reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n.shared .align 16 .b8 tile[1024];\n" +
                body + "\n}\n");
}

const Function& entryOf(const Module& module) {
  return *module.find("e");
}

/// A small count.cu with the right names and shapes, but without the right bodies.
Module smallProbes() {
  const auto adding = [](const std::string& name, const std::string& parameters) {
    return ".visible .func " + name + "(" + parameters + ")\n{\nret;\n}\n";
  };
  return parsed(
      ".version 7.0\n.target sm_75\n.address_size 64\n"
      ".visible .global .align 8 .b8 tilestep_multipliers[32];\n" +
      adding("tilestep_append_way", ".param .b64 a, .param .b32 b, .param .b32 c") +
      adding("tilestep_append_root", ".param .b64 a, .param .b32 b, .param .b64 c"));
}

std::vector<Launch> launchOf(const std::string& entry, Dim3 block = {16, 16, 1}) {
  Launch launch;
  launch.entry = entry;
  launch.block = block;
  return {launch};
}

/// The entry's own instructions as text, in the order of the rewritten entry.
std::vector<std::string> ownInstructions(const Function& before, const Function& after) {
  std::vector<std::string> own;
  size_t next = 0;
  for (const Instruction& instruction : after.body) {
    if (next == before.body.size()) break;
    if (print(instruction, after) == print(before.body[next], before)) {
      own.push_back(print(instruction, after));
      ++next;
    }
  }
  return own;
}

// ---- What an instruction counts as ----

TEST(InstrumentAccess, KnowsWidthsSpacesArithmeticAndBarriers) {
  const Module module = withBody(
      "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];\nst.shared.v2.f64 [%r1], {%f1, %f2};\n"
      "ld.global.nc.u8 %r1, [%rd1+3];\nld.u32 %r1, [%rd1];\nld.param.u64 %rd1, [p];\n"
      "red.global.add.u32 [%rd1], 1;\nret;");
  const auto& body = entryOf(module).body;
  EXPECT_EQ(accessOf(body[0])->width, 16U);
  EXPECT_EQ(accessOf(body[1])->width, 16U);
  EXPECT_TRUE(accessOf(body[1])->isStore);
  EXPECT_EQ(accessOf(body[1])->space, Space::shared);
  EXPECT_EQ(accessOf(body[2])->width, 1U);
  EXPECT_EQ(accessOf(body[3])->space, Space::generic);
  EXPECT_FALSE(accessOf(body[4]).has_value());
  EXPECT_FALSE(accessOf(body[5]).has_value());
  const Module sums = withBody(
      "fma.rn.f32 %f1, %f1, %f1, %f1;\nsub.rn.f32 %f1, %f1, %f1;\nmul.f32 %f1, %f1, %f1;\n"
      "add.s32 %r1, %r1, 1;\nfma.rn.f64 %rd1, %rd1, %rd1, %rd1;\nret;");
  const auto& added = entryOf(sums).body;
  EXPECT_EQ(arithmeticOf(added[0]), Arithmetic::ffma);
  EXPECT_EQ(arithmeticOf(added[1]), Arithmetic::fadd);
  EXPECT_EQ(arithmeticOf(added[2]), Arithmetic::fmul);
  EXPECT_FALSE(arithmeticOf(added[3]).has_value());
  EXPECT_FALSE(arithmeticOf(added[4]).has_value());
  const Module waits = withBody("bar.sync 0;\nbarrier.sync 0;\nbar.warp.sync -1;\nret;");
  const auto& barriers = entryOf(waits).body;
  EXPECT_TRUE(isBarrier(barriers[0]));
  EXPECT_TRUE(isBarrier(barriers[1]));
  EXPECT_FALSE(isBarrier(barriers[2]));
}

TEST(Instrument, KeepsTheProgramAndParsesAgain) {
  const Module module = withBody(
      "ld.param.u64 %rd1, [p];\nmov.u32 %r1, tile;\nL: ld.global.f32 %f1, [%rd1+4];\n"
      "@%p2 st.shared.f32 [%r1], %f1;\nbar.sync 0;\nld.shared.f32 %f2, [%r1+8];\n"
      "@!%p1 fma.rn.f32 %f3, %f1, %f2, %f3;\nadd.s64 %rd1, %rd1, 4;\n@%p1 bra L;\n"
      "st.f32 [%rd1], %f3;\nret;");
  const auto made = valueOrThrow(instrumentCounting(module, smallProbes(), launchOf("e")));
  const Module again = parsed(made.ptx);
  ASSERT_NE(again.find("e"), nullptr);
  for (const std::string& name : {std::string("e"), loggingName("e")}) {
    const Function* own = again.find(name);
    ASSERT_NE(own, nullptr) << name;
    EXPECT_EQ(ownInstructions(entryOf(module), *own).size(), entryOf(module).body.size()) << name;
    EXPECT_GT(own->body.size(), entryOf(module).body.size()) << name;
  }
  EXPECT_TRUE(has(made.ptx, ".maxntid 256, 1, 1"));
}

// A product of matrices accesses no memory and is not a counted operation, so it stays unchanged,
// with the copies and the barrier around it.
TEST(Instrument, LeavesAProductOfMatricesUnchanged) {
  const Module module = withBody(
      "mov.u32 %r1, tile;\nL: cp.async.ca.shared.global [%r1], [%rd1], 4;\ncp.async.commit_group;\n"
      "cp.async.wait_group 0;\nbar.sync 0;\nld.shared.b32 %r2, [%r1+8];\n"
      "cvt.rna.tf32.f32 %r3, %f5;\n"
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, "
      "{%r2, %r3, %r2, %r3}, {%r3, %r2}, {%f1, %f2, %f3, %f4};\n"
      "@%p1 bra L;\nst.global.v2.f32 [%rd1], {%f1, %f2};\nret;");
  const auto made = valueOrThrow(instrumentCounting(module, smallProbes(), launchOf("e")));
  const Module again = parsed(made.ptx);
  EXPECT_EQ(ownInstructions(entryOf(module), entryOf(again)).size(), entryOf(module).body.size());
  const Function* logs = again.find(loggingName("e"));
  ASSERT_NE(logs, nullptr);
  EXPECT_EQ(ownInstructions(entryOf(module), *logs).size(), entryOf(module).body.size());
}

/// Compilers may keep a helper that copies as a separate function.
TEST(Instrument, LeavesACopyInACalledFunctionUnchanged) {
  const std::string helper =
      ".func copy(.param .b32 to, .param .b64 from)\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<3>;\n"
      "ld.param.u32 %r1, [to];\nld.param.u64 %rd1, [from];\n"
      "cp.async.ca.shared.global [%r1], [%rd1], 4;\nret;\n}\n";
  const auto made =
      valueOrThrow(instrumentCounting(withBody("ret;", helper), smallProbes(), launchOf("e")));
  const Module again = parsed(made.ptx);
  ASSERT_NE(again.find("copy"), nullptr);
  EXPECT_EQ(again.find("copy")->body.size(), 4U);
}

TEST(Instrument, KeepsTheKernelsOwnThreadLimit) {
  Module module = withBody("ret;");
  module.functions[0].directives.push_back(".maxntid 64, 1, 1");
  const auto made = valueOrThrow(instrumentCounting(module, smallProbes(), launchOf("e")));
  EXPECT_FALSE(has(made.ptx, ".maxntid 256"));
}

// The probes' functions would be compiled with the kernel, which takes time.
TEST(Instrument, CallsNothingForFewBranches) {
  const auto few = valueOrThrow(instrumentCounting(
      withBody("@%p1 bra L;\nld.global.f32 %f1, [%rd1];\nL: ret;"), smallProbes(), launchOf("e")));
  EXPECT_FALSE(few.calls);
  EXPECT_EQ(parsed(few.ptx).find("tilestep_append_way"), nullptr);
  std::string body;
  for (int i = 0; i < 32; ++i) {
    body += "setp.lt.u32 %p1, %r1, " + std::to_string(i) + ";\nld.global.u32 %r1, [%rd1];\n" +
            "@%p1 st.global.u32 [%rd1], %r1;\n";
  }
  const auto many =
      valueOrThrow(instrumentCounting(withBody(body + "ret;"), smallProbes(), launchOf("e")));
  EXPECT_TRUE(many.calls);
}

TEST(Instrument, BlocksThatMayExchangeValuesAreNotIndependent) {
  const auto isIndependent = [](const std::string& body) {
    const auto made = instrumentCounting(withBody(body + "\nret;"), smallProbes(), launchOf("e"));
    EXPECT_TRUE(made.ok());
    return made.ok() && made->entries.at("e").isIndependent;
  };
  EXPECT_TRUE(isIndependent("st.global.u32 [%rd1], %r1;\nbar.sync 0;"));
  EXPECT_TRUE(isIndependent("atom.shared.add.u32 %r1, [%r2], 1;"));
  EXPECT_FALSE(isIndependent("atom.global.add.u32 %r1, [%rd1], 1;"));
  EXPECT_FALSE(isIndependent("red.add.u32 [%rd1], 1;"));
  EXPECT_FALSE(isIndependent("ld.volatile.global.u32 %r1, [%rd1];"));
  EXPECT_FALSE(isIndependent("ld.acquire.gpu.global.u32 %r1, [%rd1];"));
  EXPECT_FALSE(isIndependent("membar.gl;"));
}

TEST(Instrument, RefusesUncountableModules) {
  const Module calls = withBody("call f;\nret;", ".func f()\n{\nret;\n}\n");
  EXPECT_TRUE(fails(instrumentCounting(calls, smallProbes(), launchOf("e")), "calls f"));
  EXPECT_TRUE(
      fails(instrumentCounting(withBody("ret;"), smallProbes(), launchOf("other")), "other"));
  EXPECT_TRUE(fails(instrumentCounting(withBody("ret;"), withBody("ret;"), launchOf("e")),
                    "tilestep_append_way"));
}

// ---- The shipped kernels through the real assembler ----

struct Shipped {
  const char* kernel;
  compile::Bindings tunables;
};

class Rewritten : public ::testing::TestWithParam<Shipped> {
 protected:
  static Result<std::shared_ptr<const compile::Compiled>> compiled(const std::string& path,
                                                                   const compile::Bindings& set,
                                                                   bool relocatable) {
    compile::CompileService service({support::sourceRoot(), "", ""});
    compile::CompileRequest request;
    request.source.path = path;
    Result<std::string> text = readTextFile(support::sourceRoot() + "/" + path);
    if (!text) return text.error();
    request.source.text = *text;
    request.tunables = set;
    request.relocatable = relocatable;
    return service.compile(request);
  }

  void SetUp() override {
    const auto kernel = valueOrThrow(
        compiled(std::string("kernels/") + GetParam().kernel + ".cu", GetParam().tunables, false));
    const auto probes = valueOrThrow(compiled("kernels/probes/count.cu", {}, true));
    kernel_ = kernel;
    probes_ = probes;
  }

  [[nodiscard]] const Module& module() const { return *kernel_->module; }
  [[nodiscard]] const Function& entry() const {
    return *std::ranges::find_if(module().functions, [](const Function& f) { return f.isEntry; });
  }
  [[nodiscard]] Result<Counting> counting() const {
    return instrumentCounting(module(), *probes_->module, launchOf(entry().name));
  }

  static void expectAssembled(const std::string& ptxas, const std::string& ptx) {
    const auto file = std::filesystem::temp_directory_path() /
                      ("tilestep-instrument-" + std::to_string(getpid()) + ".ptx");
    ASSERT_TRUE(writeFileAtomically(file, ptx).ok());
    const std::string command = ptxas + " -arch=sm_75 -o /dev/null " + file.string();
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::filesystem::remove(file);
  }

  std::shared_ptr<const compile::Compiled> kernel_, probes_;
};

TEST_P(Rewritten, KeepsTheKernel) {
  const auto made = valueOrThrow(counting());
  const Module again = parsed(made.ptx);
  ASSERT_NE(again.find(entry().name), nullptr);
  EXPECT_EQ(ownInstructions(entry(), *again.find(entry().name)).size(), entry().body.size());
}

TEST_P(Rewritten, IsAcceptedByTheAssemblerCountingAndTracing) {
  const std::string ptxas = support::toolkitProgram("ptxas");
  if (ptxas.empty()) GTEST_SKIP() << support::because(support::kNoToolkit, "ptxas was not found");
  const auto made = valueOrThrow(counting());
  expectAssembled(ptxas, made.ptx);
  const auto traced = valueOrThrow(instrumentTrace(module(), launchOf(entry().name).front(), 32));
  expectAssembled(ptxas, traced.ptx);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Rewritten,
    ::testing::Values(
        Shipped{"matmul_naive", {{"BLOCK_X", 16}, {"BLOCK_Y", 16}}},
        Shipped{"matmul_tiled", {{"TILE_WIDTH", 5}}}, Shipped{"matmul_tiled", {{"TILE_WIDTH", 16}}},
        Shipped{"matmul_tiled", {{"TILE_WIDTH", 4}}}, Shipped{"matmul_tiled", {{"TILE_WIDTH", 32}}},
        Shipped{"matmul_tiled_dynamic", {}},
        Shipped{"matmul_tiled_free",
                {{"TILE_M", 32}, {"TILE_N", 32}, {"TILE_K", 16}, {"BLOCK_X", 16}, {"BLOCK_Y", 16}}},
        Shipped{"matmul_tiled_swapped", {{"TILE_WIDTH", 32}, {"PAD", 0}}},
        Shipped{"transpose", {{"VARIANT", 2}, {"TILE_WIDTH", 32}}}));

}  // namespace tilestep::ptx::instrument_test
