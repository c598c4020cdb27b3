// SPDX-License-Identifier: Apache-2.0
// The log of a traced block's threads, and the rewritten module's text. That the log comes to the
// interpreter's recording is checked in tests/gpu, with the interpreter as the machine and on a
// GPU.
#include "ptx/rewrite/instrument_trace.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ptx/rewrite/trace_log.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"
#include "support/has.h"

namespace tilestep::ptx {
namespace instrument_trace_test {

using Kind = LogSite::Kind;

Module withBody(const std::string& body, const std::string& more = "") {
  Result<Module> module = parse(
      ".version 7.0\n.target sm_80\n.address_size 64\n.global .align 4 .b8 table[64];\n" + more +
      ".visible .entry e(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b16 %h<9>;\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n"
      ".shared .align 16 .b8 tile[1024];\n" +
      body + "\n}\n");
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : toString(module.error()));
  return module.ok() ? *module : Module();
}

TraceLog logOf(const std::string& body) {
  const Module module = withBody(body);
  Result<TraceLog> log = traceLogOf(module, *module.find("e"), 96);
  EXPECT_TRUE(log.ok()) << (log.ok() ? "" : toString(log.error()));
  return log.ok() ? *log : TraceLog();
}

Launch launchOf(Dim3 block = {16, 16, 1}) {
  Launch launch;
  launch.entry = "e";
  launch.block = block;
  return launch;
}

// ---- Sites and records ----

TEST(TraceLogOf, AccessesThroughOneRegisterShareItsValue) {
  const TraceLog log = logOf(
      "ld.shared.f32 %f1, [%r1+4];\nld.shared.f32 %f2, [%r1+8];\nadd.u32 %r1, %r1, 4;\n"
      "ld.shared.v2.f32 {%f3, %f4}, [%r1];\nst.global.u8 [%rd1], %r2;\nret;");
  ASSERT_EQ(log.records.size(), 1U);
  EXPECT_TRUE(log.sites[0].writesBase);
  EXPECT_FALSE(log.sites[1].writesBase);
  EXPECT_EQ(log.sites[1].baseAt, log.sites[0].baseAt);
  EXPECT_EQ(log.sites[1].offset, 8);
  EXPECT_TRUE(log.sites[3].writesBase) << "the register was written meanwhile";
  EXPECT_EQ(log.sites[3].words(), 2U);
  EXPECT_EQ(log.sites[4].kind, Kind::store);
  EXPECT_EQ(log.sites[4].width(), 1U);
  // The mark, three bases of two words, five words of values.
  EXPECT_EQ(log.records[0].words, 1U + 3 * 2 + 5);
  EXPECT_EQ(log.records[0].first, 0U);
  EXPECT_EQ(log.records[0].last, 4U);
}

TEST(TraceLogOf, RecordsEndAtLabelsBranchesAndGuards) {
  const TraceLog log = logOf(
      "ld.global.f32 %f1, [%rd1];\nL: ld.global.f32 %f2, [%rd1+4];\n"
      "@%p1 st.global.f32 [%rd1], %f2;\nld.global.f32 %f3, [%rd1+8];\nbar.sync 0;\n"
      "@%p2 bra L;\n@!%p3 ret;\nst.shared.f32 [tile+16], %f3;\nret;");
  std::vector<uint32_t> firsts;
  for (const LogRecord& record : log.records) firsts.push_back(record.first);
  EXPECT_EQ(firsts, (std::vector<uint32_t>{0, 1, 2, 3, 5, 6, 7}));
  EXPECT_EQ(log.sites[4].kind, Kind::barrier);
  EXPECT_EQ(log.sites[4].record, log.sites[3].record);
  EXPECT_EQ(log.sites[5].kind, Kind::decision);
  EXPECT_EQ(log.sites[6].kind, Kind::decision);
  EXPECT_EQ(log.sites[8].kind, Kind::none) << "an exit without a guard needs no word";
  EXPECT_EQ(log.shared, std::vector<std::string>{"tile"});
  EXPECT_EQ(log.globals, std::vector<std::string>{"table"});
}

TEST(TraceLogOf, AccumulatorsAndAtomics) {
  const TraceLog log = logOf(
      "mov.f32 %f1, 0f00000000;\nL: fma.rn.f32 %f1, %f2, %f3, %f1;\n@%p1 bra L;\n"
      "atom.global.add.u32 %r1, [%rd1+4], %r2;\nred.shared.add.u64 [%r1], %rd2;\n"
      "st.global.f32 [%rd1], %f1;\nret;");
  EXPECT_EQ(log.sites[1].kind, Kind::accumulate);
  EXPECT_EQ(log.sites[3].kind, Kind::atomic);
  EXPECT_EQ(log.sites[3].width(), 4U);
  EXPECT_EQ(log.sites[3].words(), 0U);
  EXPECT_EQ(log.sites[4].width(), 8U);
}

TEST(TraceLogOf, RefusesWhatNoLogCanTell) {
  const std::vector<std::pair<std::string, std::string>> bodies = {
      {"cp.async.ca.shared.global [%r1], [%rd1], 4;\nret;", "uses cp"},
      {"mov.f32 %f1, 0f00000000;\nL: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
       "{%f1, %f2, %f3, %f4}, {%r1, %r1, %r1, %r1}, {%r2, %r2}, {%f1, %f2, %f3, %f4};\n"
       "@%p1 bra L;\nst.global.f32 [%rd1], %f1;\nret;",
       "adds up by mma"},
      {"bar.arrive 0, 64;\nret;", "barrier other than bar.sync"},
      {"T: .branchtargets L;\nL: mov.u32 %r1, 0;\nbrx.idx %r1, T;\nret;", "indexed branch"},
      {"ld.global.v2.f32 {_, %f1}, [%rd1];\nret;", "lies in no register"},
      {"mov.u32 %r1, 0;", "runs past its end"},
  };
  for (const auto& [body, why] : bodies) {
    SCOPED_TRACE(body);
    const Module module = withBody(body);
    const Result<TraceLog> log = traceLogOf(module, *module.find("e"), 32);
    EXPECT_TRUE(fails(log, why));
    EXPECT_TRUE(has(log.error().message, "cannot trace e"));
  }
  const Module calls = withBody("call f;\nret;", ".func f()\n{\nret;\n}\n");
  EXPECT_FALSE(traceLogOf(calls, *calls.find("e"), 32).ok());
}

// ---- The rewritten module ----

TEST(InstrumentTrace, BoundsRegistersOrThreads) {
  const Module module = withBody("ret;");
  EXPECT_TRUE(has(instrumentTrace(module, launchOf())->ptx, ".maxntid 256, 1, 1"));
  const std::string bounded = instrumentTrace(module, launchOf(), 40)->ptx;
  EXPECT_TRUE(has(bounded, ".maxnreg 40"));
  EXPECT_FALSE(has(bounded, ".maxntid"));
  Module own = module;
  own.functions[0].directives.push_back(".maxntid 64, 1, 1");
  const std::string kept = instrumentTrace(own, launchOf(), 40)->ptx;
  EXPECT_FALSE(has(kept, ".maxnreg"));
  EXPECT_FALSE(has(kept, ".maxntid 256"));
}

TEST(InstrumentTrace, NamesAMissingKernel) {
  Launch launch = launchOf();
  launch.entry = "other";
  const Result<Tracing> made = instrumentTrace(withBody("ret;"), launch);
  EXPECT_TRUE(fails(made, "other"));
}

}  // namespace instrument_trace_test
}  // namespace tilestep::ptx
