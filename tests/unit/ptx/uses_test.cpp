// SPDX-License-Identifier: Apache-2.0
// Compares the register uses in opcodes.def with the PTX ISA 9.0. There is at least one example for
// every row, except rows that only compute one result from their sources. tests/mutations also
// compares the uses with the interpreter's behaviour.
#include "ptx/analysis/uses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support.h"

namespace tilestep::ptx::uses_test {

/// Register names, sorted and without '%'.
std::string namesOf(const Function& function, std::vector<uint32_t> registers) {
  std::set<std::string> names;
  for (const uint32_t reg : registers) names.insert(function.registers[reg].name.substr(1));
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

struct Example {
  const char* text;
  const char* written;
  const char* read;
  Effect effect;
};

// clang-format off
const Example kExamples[] = {
    {"ld.global.v2.u32 {%r1, %r2}, [%rd1+8], %rd2;", "r1 r2", "rd1 rd2", Effect::load},
    {"ldu.global.u32 %r1, [%rd1];", "r1", "rd1", Effect::load},
    {"st.global.v2.u32 [%rd1], {%r1, %r2};", "", "r1 r2 rd1", Effect::store},
    {"st.param.b32 [%rd1], %r1;", "", "r1 rd1", Effect::store},
    {"atom.global.cas.b32 %r1, [%rd1], %r2, %r3;", "r1", "r2 r3 rd1", Effect::atomic},
    {"atom.global.add.u32 _, [%rd1], %r2;", "", "r2 rd1", Effect::atomic},
    {"red.global.add.u32 [%rd1], %r2;", "", "r2 rd1", Effect::atomic},
    {"@%p1 bra L; L: ret;", "", "p1", Effect::branch},
    {"ret;", "", "", Effect::leave},
    {"@%p3 exit;", "", "p3", Effect::leave},
    {"trap;", "", "", Effect::trap},
    {"bar.sync %r1, %r2;", "", "r1 r2", Effect::barrier},
    {"bar.red.popc.u32 %r1, 0, %p1;", "r1", "p1", Effect::barrier},
    {"bar.warp.sync %r1;", "", "r1", Effect::barrier},
    {"barrier.sync %r1;", "", "r1", Effect::barrier},
    {"barrier.red.and.pred %p2, %r1, !%p1;", "p2", "p1 r1", Effect::barrier},
    {"setp.lt.and.u32 %p1|%p2, %r1, %r2, %p3;", "p1 p2", "p3 r1 r2", Effect::none},
    {"mov.b64 {%r1, %r2}, %rd1;", "r1 r2", "rd1", Effect::none},
    {"mov.b64 %rd1, {%r1, %r2};", "rd1", "r1 r2", Effect::none},
    {"@!%p1 add.u32 %r1, %r1, %r2;", "r1", "p1 r1 r2", Effect::none},
    {"shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, -1;", "p1 r1", "r2", Effect::lanes},
    {"vote.sync.ballot.b32 %r1, %p1, %r2;", "r1", "p1 r2", Effect::lanes},
    {"match.all.sync.b32 %r1|%p1, %r2, %r3;", "p1 r1", "r2 r3", Effect::lanes},
    {"redux.sync.add.u32 %r1, %r2, %r3;", "r1", "r2 r3", Effect::lanes},
    {"elect.sync %r1|%p1, %r2;", "p1 r1", "r2", Effect::lanes},
    {"activemask.b32 %r1;", "r1", "", Effect::lanes},
    {"movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;", "r1", "r2", Effect::lanes},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, "
     "{%f1, %f2, %f3, %f4};", "f1 f2 f3 f4", "f1 f2 f3 f4 r1 r2 r3", Effect::lanes},
    {"wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%fd1}, [%rd1], %r1;", "fd1", "r1 rd1",
     Effect::load},
    {"wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%rd1], {%fd1, %fd2}, %r1;", "",
     "fd1 fd2 r1 rd1", Effect::store},
    {"wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 {%fd1, %fd2}, {%fd3}, {%fd4}, {%fd5, "
     "%fd6};", "fd1 fd2", "fd3 fd4 fd5 fd6", Effect::lanes},
    {"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f1, %f2, %f3, %f4}, %rd1, %rd2, %p1, 1, "
     "1;", "f1 f2 f3 f4", "f1 f2 f3 f4 p1 rd1 rd2", Effect::object},
    {"wgmma.wait_group.sync.aligned 0;", "", "", Effect::object},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%rd1];", "r1 r2", "rd1", Effect::load},
    {"stmatrix.sync.aligned.m8n8.x2.shared.b16 [%rd1], {%r1, %r2};", "", "r1 r2 rd1",
     Effect::store},
    {"cp.async.ca.shared.global [%r1], [%rd1], 4, %r2;", "", "r1 r2 rd1", Effect::copy},
    {"cp.async.commit_group;", "", "", Effect::none},
    {"cp.async.wait_group 1;", "", "", Effect::none},
    {"cp.async.wait_all;", "", "", Effect::none},
    {"cp.async.mbarrier.arrive.shared.b64 [%r1];", "", "r1", Effect::object},
    {"cp.async.bulk.prefetch.L2.global [%rd1], %r1;", "", "r1 rd1", Effect::hint},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3];",
     "", "r1 r2 r3 rd1", Effect::copy},
    {"prefetch.global.L1 [%rd1];", "", "rd1", Effect::hint},
    {"prefetchu.L1 [%rd1];", "", "rd1", Effect::hint},
    {"applypriority.global.L2::evict_normal [%rd1], 128;", "", "rd1", Effect::hint},
    {"discard.global.L2 [%rd1], 128;", "", "rd1", Effect::object},
    {"createpolicy.range.global.L2::evict_last.b64 %rd1, [%rd2], %r1, %r2;", "rd1", "r1 r2 rd2",
     Effect::none},
    {"nanosleep.u32 %r1;", "", "r1", Effect::none},
    {"membar.gl;", "", "", Effect::fence},
    {"fence.acq_rel.gpu;", "", "", Effect::fence},
    {"fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;", "", "rd1", Effect::fence},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];", "f1 f2 f3 f4", "f5 f6 rd1",
     Effect::load},
    {"tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];", "f1 f2 f3 f4", "f5 f6 rd1",
     Effect::load},
    {"suld.b.1d.b32.trap %r1, [%rd1, {%r2}];", "r1", "r2 rd1", Effect::load},
    {"sust.b.1d.b32.trap [%rd1, {%r2}], %r1;", "", "r1 r2 rd1", Effect::store},
    {"sured.b.add.1d.u32.trap [%rd1, {%r2}], %r1;", "", "r1 r2 rd1", Effect::object},
    {"suq.width.b32 %r1, [%rd1];", "r1", "rd1", Effect::object},
    {"txq.width.b32 %r1, [%rd1];", "r1", "rd1", Effect::object},
    {"mbarrier.init.shared.b64 [%r1], %r2;", "", "r1 r2", Effect::object},
    {"mbarrier.arrive.shared.b64 %rd1, [%r1];", "rd1", "r1", Effect::object},
    {"mbarrier.arrive_drop.shared.b64 %rd1, [%r1];", "rd1", "r1", Effect::object},
    {"mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;", "p1", "r1 rd1", Effect::object},
    {"mbarrier.try_wait.shared.b64 %p1, [%r1], %rd1;", "p1", "r1 rd1", Effect::object},
    {"mbarrier.pending_count.b64 %r1, %rd1;", "r1", "rd1", Effect::none},
    {"setmaxnreg.inc.sync.aligned.u32 64;", "", "", Effect::none},
    {"griddepcontrol.wait;", "", "", Effect::none},
    {"brkpt;", "", "", Effect::none},
    {"pmevent 7;", "", "", Effect::none},
    {"stacksave.u64 %rd1;", "rd1", "", Effect::none},
    {"stackrestore.u64 %rd1;", "", "rd1", Effect::none},
    {"multimem.ld_reduce.relaxed.sys.global.add.f32 %f1, [%rd1];", "f1", "rd1", Effect::object},
    {"multimem.red.relaxed.sys.global.add.f32 [%rd1], %f1;", "", "f1 rd1", Effect::object},
    {"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], "
     "[%r2];", "", "r1 r2", Effect::object},
    {"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %rd1;", "p1", "rd1",
     Effect::none},
    {"tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;", "", "rd1 rd2",
     Effect::object},
    {"tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];", "r1 r2", "r3", Effect::object},
    {"tcgen05.st.sync.aligned.32x32b.x2.b32 [%r3], {%r1, %r2};", "", "r1 r2 r3", Effect::object},
    {"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;", "", "r1", Effect::object},
};
// clang-format on

TEST(Uses, MatchTheIsa) {
  for (const Example& example : kExamples) {
    const Function function = kernel(example.text);
    if (function.body.empty()) continue;  // The parser's error has failed the test.
    const Instruction& first = function.body.front();
    EXPECT_EQ(namesOf(function, writtenRegisters(first)), example.written) << example.text;
    EXPECT_EQ(namesOf(function, readRegisters(first)), example.read) << example.text;
    EXPECT_EQ(effectOf(first), example.effect) << example.text;
  }
}

TEST(Uses, CallsWriteTheirResults) {
  const Module module = parsed(
      ".extern .func (.reg .b32 a) f(.reg .b32 b, .reg .b64 c);\n.extern .func g();\n"
      ".visible .entry k() { .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n"
      "@%p1 call (%r1), f, (%r2, %rd1); call g; ret; }");
  const Function& function = *module.find("k");
  EXPECT_EQ(namesOf(function, writtenRegisters(function.body[0])), "r1");
  EXPECT_EQ(namesOf(function, readRegisters(function.body[0])), "p1 r2 rd1");
  EXPECT_TRUE(writtenRegisters(function.body[1]).empty());
  EXPECT_TRUE(readRegisters(function.body[1]).empty());
  EXPECT_EQ(effectOf(function.body[1]), Effect::call);
}

TEST(Uses, AnIndexedBranchReadsItsIndex) {
  const Function function =
      kernel("table: .branchtargets L0, L1;\nbrx.idx %r1, table;\nL0: ret;\nL1: ret;");
  const Instruction& branch = function.body.front();
  EXPECT_EQ(namesOf(function, readRegisters(branch)), "r1");
  EXPECT_TRUE(writtenRegisters(branch).empty());
  EXPECT_EQ(effectOf(branch), Effect::branch);
}

TEST(Uses, EveryRowExceptPlainResultsHasAnExample) {
  std::set<Opcode> seen{Opcode::brx, Opcode::call};
  std::set<std::pair<Opcode, std::string_view>> seenWith;
  for (const Example& example : kExamples) {
    const Function function = kernel(example.text);
    if (function.body.empty()) continue;
    const Instruction& first = function.body.front();
    seen.insert(first.opcode);
    for (const UseWith& with : usesWithSuffix()) {
      if (with.opcode == first.opcode && first.has(with.suffix)) {
        seenWith.insert({with.opcode, with.suffix});
      }
    }
  }
  for (auto id = 1; id <= static_cast<int>(Opcode::vsub4); ++id) {
    const auto opcode = static_cast<Opcode>(id);
    const Use use = useOf(opcode);
    const bool isPlain = use.operands == "wr" && use.effect == Effect::none;
    EXPECT_TRUE(isPlain || seen.contains(opcode)) << toText(opcode);
    EXPECT_EQ(use.operands.find_first_not_of("wurac"), std::string_view::npos) << toText(opcode);
  }
  EXPECT_EQ(seenWith.size(), usesWithSuffix().size());
}

TEST(Uses, ClassifyMemoryAccesses) {
  const Instruction atom = instruction("atom.global.add.u32 %r1, [%rd7], %r2;");
  EXPECT_EQ(addressOf(atom), &atom.operands[1]);
  const Instruction sum = instruction("add.u32 %r1, %r2, %r3;");
  EXPECT_EQ(addressOf(sum), nullptr);
  EXPECT_TRUE(readsMemory(instruction("atom.global.add.u32 %r1, [%rd7], %r2;")));
  EXPECT_FALSE(readsMemory(instruction("red.global.add.u32 [%rd7], %r2;")));
  EXPECT_TRUE(accessesMemory(instruction("cp.async.ca.shared.global [%r1], [%rd1], 4;")));
  EXPECT_FALSE(accessesMemory(instruction("prefetch.global.L1 [%rd1];")));
  EXPECT_TRUE(isBlockBarrier(instruction("barrier.sync 0;")));
  EXPECT_FALSE(isBlockBarrier(instruction("bar.warp.sync -1;")));
  EXPECT_FALSE(isBlockBarrier(instruction("barrier.cluster.arrive;")));
}

}  // namespace tilestep::ptx::uses_test
