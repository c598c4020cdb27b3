// SPDX-License-Identifier: Apache-2.0
// The rewritten module parses, keeps the program as it was, and is accepted by the assembler of
// the CUDA Toolkit where that is present. What it counts is checked on a GPU (tests/gpu).
#include "ptx/rewrite/instrument.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/files.h"
#include "compile/compiler.h"
#include "ptx/rewrite/instrument_access.h"
#include "ptx/rewrite/instrument_segments.h"
#include "ptx/rewrite/instrument_trace.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"
#include "support/skips.h"
#include "support/source_root.h"
#include "support/toolkit.h"

namespace tilestep::ptx {
namespace instrument_test {

Module parsed(const std::string& text) {
  Result<Module> module = parse(text);
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : toString(module.error()));
  return module.ok() ? *module : Module();
}

/// One entry with this body, behind registers of the usual names.
Module withBody(const std::string& body, const std::string& more = "") {
  return parsed(".version 7.0\n.target sm_75\n.address_size 64\n" + more +
                ".visible .entry e(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n"
                ".reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n.shared .align 16 .b8 tile[1024];\n" +
                body + "\n}\n");
}

const Function& entryOf(const Module& module) {
  return *module.find("e");
}

/// count.cu in little: names and shapes are right, bodies are not.
Module smallProbes() {
  const auto looking = [](const std::string& name, const std::string& parameters) {
    return ".visible .func (.param .b32 result) " + name + "(" + parameters +
           ")\n{\n.reg .b32 %r<2>;\nmov.u32 %r1, 1;\nst.param.b32 [result], %r1;\nret;\n}\n";
  };
  const auto adding = [](const std::string& name, const std::string& parameters) {
    return ".visible .func " + name + "(" + parameters + ")\n{\nret;\n}\n";
  };
  const std::string three = ".param .b32 a, .param .b32 b, .param .b32 c";
  return parsed(
      ".version 7.0\n.target sm_75\n.address_size 64\n"
      ".visible .global .align 8 .b8 tilestep_table[16];\n" +
      looking("tilestep_look_global",
              ".param .b64 a, .param .b32 b, .param .b32 c, .param .b32 d, .param .b32 e") +
      looking("tilestep_first_in_wavefront", three) + looking("tilestep_fewest_wavefronts", three) +
      looking("tilestep_known_global", ".param .b64 a, .param .b64 b, .param .b32 c") +
      looking("tilestep_known_shared",
              ".param .b64 a, .param .b32 b, .param .b32 c, .param .b32 d") +
      adding("tilestep_emit", three + ", .param .b32 d, .param .b32 e") +
      looking("tilestep_lap_global", ".param .b64 a, .param .b32 b, .param .b32 c") +
      looking("tilestep_lap_shared", ".param .b64 a, .param .b32 b, .param .b32 c, .param .b32 d") +
      adding("tilestep_lap_end",
             ".param .b64 a, .param .b64 b, .param .b32 c, .param .b32 d, .param .b32 e, "
             ".param .b32 f") +
      adding("tilestep_finish", ".param .b32 a"));
}

std::vector<Launch> launchOf(const std::string& entry, Dim3 block = {16, 16, 1}) {
  Launch launch;
  launch.entry = entry;
  launch.block = block;
  return {launch};
}

/// The entry's own instructions, as text, in the order of the rewritten one.
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

TEST(InstrumentAccess, KnowsWidthsAndSpaces) {
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
}

TEST(InstrumentAccess, CountsF32ArithmeticAlone) {
  const Module module = withBody(
      "fma.rn.f32 %f1, %f1, %f1, %f1;\nsub.rn.f32 %f1, %f1, %f1;\nmul.f32 %f1, %f1, %f1;\n"
      "add.s32 %r1, %r1, 1;\nfma.rn.f64 %rd1, %rd1, %rd1, %rd1;\nret;");
  const auto& body = entryOf(module).body;
  EXPECT_EQ(arithmeticOf(body[0]), Count::ffma);
  EXPECT_EQ(arithmeticOf(body[1]), Count::fadd);
  EXPECT_EQ(arithmeticOf(body[2]), Count::fmul);
  EXPECT_FALSE(arithmeticOf(body[3]).has_value());
  EXPECT_FALSE(arithmeticOf(body[4]).has_value());
}

TEST(InstrumentAccess, TellsBarriersOfABlockFromThoseOfAWarp) {
  const Module module = withBody("bar.sync 0;\nbarrier.sync 0;\nbar.warp.sync -1;\nret;");
  const auto& body = entryOf(module).body;
  EXPECT_TRUE(isBarrier(body[0]));
  EXPECT_TRUE(isBarrier(body[1]));
  EXPECT_FALSE(isBarrier(body[2]));
}

// ---- Segments ----

TEST(Segments, EndAtBranchesExitsLabelsAndBarriers) {
  const Module module = withBody(
      "mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nbar.sync 0;\nsetp.lt.u32 %p1, %r1, 9;\n"
      "@%p1 bra L;\n@%p1 ret;\nmov.u32 %r2, 1;\nexit;");
  const auto segments = segmentsOf(entryOf(module));
  ASSERT_TRUE(segments.ok());
  ASSERT_EQ(segments->size(), 5U);
  const auto& s = *segments;
  EXPECT_EQ(s[1].begin, 1U);
  EXPECT_EQ(s[1].end, 3U);
  EXPECT_EQ(s[1].how, Segment::End::barrier);
  EXPECT_EQ(s[2].next, (std::vector<uint32_t>{3, 1}));
  EXPECT_EQ(s[3].how, Segment::End::exit);
  EXPECT_EQ(s[3].next, (std::vector<uint32_t>{4}));
  EXPECT_TRUE(s[4].next.empty());
}

TEST(Segments, TellsLoopsWithinAnEpoch) {
  const Module module = withBody(
      "L: add.u32 %r1, %r1, 1;\nA: add.u32 %r1, %r1, 2;\n@%p1 bra A;\nbar.sync 0;\n@%p2 bra L;\n"
      "ret;");
  const auto segments = segmentsOf(entryOf(module));
  ASSERT_TRUE(segments.ok());
  ASSERT_EQ(segments->size(), 5U);
  const auto visits = visitsBefore(*segments, 2);  // the barrier
  EXPECT_EQ(visits[0], Visits::once);
  EXPECT_EQ(visits[1], Visits::often);
  EXPECT_EQ(visits[2], Visits::once);
  EXPECT_EQ(visits[3], Visits::once);  // from the barrier round the outer loop
  EXPECT_EQ(visits[4], Visits::never);
  const auto loops = loopSpans(entryOf(module));
  ASSERT_EQ(loops.size(), 2U);
  EXPECT_EQ(innermostLoop(loops, 1)->end, 2U);
  EXPECT_EQ(innermostLoop(loops, 3)->end, 4U);
  EXPECT_EQ(innermostLoop(loops, 5), nullptr);
}

TEST(Segments, RefuseIndexedBranches) {
  const Module module = withBody("T: .branchtargets L;\nL: mov.u32 %r1, 0;\nbrx.idx %r1, T;\nret;");
  const auto segments = segmentsOf(entryOf(module));
  ASSERT_FALSE(segments.ok());
  EXPECT_NE(segments.error().message.find("brx"), std::string::npos);
}

// ---- The rewritten module ----

TEST(Instrument, KeepsTheProgramAndParsesAgain) {
  const Module module = withBody(
      "ld.param.u64 %rd1, [p];\nmov.u32 %r1, tile;\nL: ld.global.f32 %f1, [%rd1+4];\n"
      "@%p2 st.shared.f32 [%r1], %f1;\nbar.sync 0;\nld.shared.f32 %f2, [%r1+8];\n"
      "@!%p1 fma.rn.f32 %f3, %f1, %f2, %f3;\nadd.s64 %rd1, %rd1, 4;\n@%p1 bra L;\n"
      "st.f32 [%rd1], %f3;\nret;");
  const auto made = instrument(module, smallProbes(), launchOf("e"));
  ASSERT_TRUE(made.ok()) << toString(made.error());
  const Module again = parsed(made->ptx);
  ASSERT_NE(again.find("e"), nullptr);
  EXPECT_EQ(ownInstructions(entryOf(module), entryOf(again)).size(), entryOf(module).body.size());
  EXPECT_GT(entryOf(again).body.size(), entryOf(module).body.size());
  EXPECT_NE(again.find("tilestep_emit"), nullptr);
  EXPECT_NE(made->ptx.find(".maxntid 256, 1, 1"), std::string::npos);
}

// A product of matrices touches no memory and is none of the counted operations: it passes as it
// is, with the copies and the barrier around it.
TEST(Instrument, LeavesAProductOfMatricesAlone) {
  const Module module = withBody(
      "mov.u32 %r1, tile;\nL: cp.async.ca.shared.global [%r1], [%rd1], 4;\ncp.async.commit_group;\n"
      "cp.async.wait_group 0;\nbar.sync 0;\nld.shared.b32 %r2, [%r1+8];\n"
      "cvt.rna.tf32.f32 %r3, %f5;\n"
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, "
      "{%r2, %r3, %r2, %r3}, {%r3, %r2}, {%f1, %f2, %f3, %f4};\n"
      "@%p1 bra L;\nst.global.v2.f32 [%rd1], {%f1, %f2};\nret;");
  const auto made = instrument(module, smallProbes(), launchOf("e"));
  ASSERT_TRUE(made.ok()) << toString(made.error());
  const Module again = parsed(made->ptx);
  EXPECT_EQ(ownInstructions(entryOf(module), entryOf(again)).size(), entryOf(module).body.size());
  for (const CountColumn& column : made->columns) {
    for (const CountTerm& term : column) EXPECT_NE(term.count, Count::ffma);
  }
}

/// Compilers may leave a helper that copies as a function of its own.
TEST(Instrument, LeavesACopyInACalledFunctionAsItIs) {
  const std::string helper =
      ".func copy(.param .b32 to, .param .b64 from)\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<3>;\n"
      "ld.param.u32 %r1, [to];\nld.param.u64 %rd1, [from];\n"
      "cp.async.ca.shared.global [%r1], [%rd1], 4;\nret;\n}\n";
  const auto made = instrument(withBody("ret;", helper), smallProbes(), launchOf("e"));
  ASSERT_TRUE(made.ok()) << toString(made.error());
  const Module again = parsed(made->ptx);
  ASSERT_NE(again.find("copy"), nullptr);
  EXPECT_EQ(again.find("copy")->body.size(), 4U);
}

TEST(Instrument, KeepsTheKernelsOwnThreadLimit) {
  Module module = withBody("ret;");
  module.functions[0].directives.push_back(".maxntid 64, 1, 1");
  const auto made = instrument(module, smallProbes(), launchOf("e"));
  ASSERT_TRUE(made.ok()) << toString(made.error());
  EXPECT_EQ(made->ptx.find(".maxntid 256"), std::string::npos);
}

TEST(Instrument, AsksForNoColumnThatNothingCounts) {
  const auto made = instrument(withBody("ld.global.v2.f32 {%f1, %f2}, [%rd1];\nret;"),
                               smallProbes(), launchOf("e"));
  ASSERT_TRUE(made.ok()) << toString(made.error());
  std::set<Count> counts;
  for (const CountColumn& column : made->columns) {
    for (const CountTerm& term : column) {
      counts.insert(term.count);
      if (term.count == Count::globalLoadBytes) {
        EXPECT_EQ(term.factor, 8);
      }
    }
  }
  EXPECT_EQ(counts, (std::set<Count>{Count::threadInstructions, Count::globalLoadThreads,
                                     Count::globalLoadBytes, Count::globalLoadRequests,
                                     Count::globalLoadSectors, Count::globalLoadDistinctBytes}));
}

TEST(Instrument, RefusesWhatItCannotCount) {
  const Module calls = withBody("call f;\nret;", ".func f()\n{\nret;\n}\n");
  const auto call = instrument(calls, smallProbes(), launchOf("e"));
  ASSERT_FALSE(call.ok());
  EXPECT_NE(call.error().message.find("calls f"), std::string::npos) << call.error().message;
  const auto unknown = instrument(withBody("ret;"), smallProbes(), launchOf("other"));
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find("other"), std::string::npos);
  const auto bare = instrument(withBody("ret;"), withBody("ret;"), launchOf("e"));
  ASSERT_FALSE(bare.ok());
  EXPECT_NE(bare.error().message.find("tilestep_look_global"), std::string::npos);
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
    compile::CompileService::Options options;
    options.home = support::sourceRoot();
    compile::CompileService service(options);
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
    const auto kernel =
        compiled(std::string("kernels/") + GetParam().kernel + ".cu", GetParam().tunables, false);
    ASSERT_TRUE(kernel.ok()) << toString(kernel.error());
    const auto probes = compiled("kernels/probes/count.cu", {}, true);
    ASSERT_TRUE(probes.ok()) << toString(probes.error());
    kernel_ = *kernel;
    probes_ = *probes;
  }

  [[nodiscard]] const Module& module() const { return *kernel_->module; }
  [[nodiscard]] const Function& entry() const {
    return *std::ranges::find_if(module().functions, [](const Function& f) { return f.isEntry; });
  }
  [[nodiscard]] Result<Instrumented> counting() const {
    return instrument(module(), *probes_->module, launchOf(entry().name));
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

TEST_P(Rewritten, KeepsTheKernelAndCountsTiledOnesByLaps) {
  const auto made = counting();
  ASSERT_TRUE(made.ok()) << toString(made.error());
  const Module again = parsed(made->ptx);
  ASSERT_NE(again.find(entry().name), nullptr);
  // Tiled kernels are counted by laps, whichever compiler it is: without, it takes twice as long.
  EXPECT_EQ(made->hasLaps, std::string(GetParam().kernel).find("tiled") != std::string::npos)
      << kernel_->ptx;
  EXPECT_EQ(ownInstructions(entry(), *again.find(entry().name)).size(), entry().body.size());
}

TEST_P(Rewritten, IsAcceptedByTheAssemblerCountingAndTracing) {
  const std::string ptxas = support::toolkitProgram("ptxas");
  if (ptxas.empty()) GTEST_SKIP() << support::because(support::kNoToolkit, "ptxas was not found");
  const auto made = counting();
  ASSERT_TRUE(made.ok()) << toString(made.error());
  expectAssembled(ptxas, made->ptx);
  const auto traced = instrumentTrace(module(), launchOf(entry().name).front(), 32);
  ASSERT_TRUE(traced.ok()) << toString(traced.error());
  expectAssembled(ptxas, traced->ptx);
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

}  // namespace instrument_test
}  // namespace tilestep::ptx
