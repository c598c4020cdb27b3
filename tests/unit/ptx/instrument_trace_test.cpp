// SPDX-License-Identifier: Apache-2.0
// Kernels that cannot be traced, and the limits of the rewritten kernel. tests/gpu compares the log
// with the interpreter's recording.
#include "ptx/rewrite/instrument_trace.h"

#include <gtest/gtest.h>

#include "ptx/rewrite/trace_log.h"
#include "support.h"
#include "support/results.h"

namespace tilestep::ptx::instrument_trace_test {

Module withBody(const std::string& body, const std::string& more = "") {
  return parsed(".global .align 4 .b8 table[64];\n" + more +
                ".visible .entry e(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b16 %h<9>;\n"
                ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n"
                ".shared .align 16 .b8 tile[1024];\n" +
                body + "\n}\n");
}

Launch launchOf(Dim3 block = {16, 16, 1}) {
  Launch launch;
  launch.entry = "e";
  launch.block = block;
  return launch;
}

TEST(TraceLogOf, UntraceableKernelsAreRefused) {
  const std::vector<std::pair<std::string, std::string>> bodies = {
      {"cp.async.ca.shared.global [%r1], [%rd1], 4;\nret;", "uses cp"},
      {"mov.f32 %f1, 0f00000000;\nL: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
       "{%f1, %f2, %f3, %f4}, {%r1, %r1, %r1, %r1}, {%r2, %r2}, {%f1, %f2, %f3, %f4};\n"
       "@%p1 bra L;\nst.global.f32 [%rd1], %f1;\nret;",
       "uses mma"},
      {"bar.arrive 0, 64;\nret;", "barrier other than bar.sync"},
      {"T: .branchtargets L;\nL: mov.u32 %r1, 0;\nbrx.idx %r1, T;\nret;", "indexed branch"},
      {"ld.global.v2.f32 {_, %f1}, [%rd1];\nret;", "is not in a register"},
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

TEST(InstrumentTrace, LimitsRegistersOrThreads) {
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

}  // namespace tilestep::ptx::instrument_trace_test
