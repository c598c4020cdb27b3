// SPDX-License-Identifier: Apache-2.0
// Calls of functions, and functions that the host executes for device code.
#include <gtest/gtest.h>

#include <utility>

#include "machine.h"
#include "support/results.h"

namespace tilestep::simt::call_test {

/// The final %r2 of each of 32 threads. `before` contains the functions.
Words results(const std::string& before, const std::string& body) {
  return ofBlock(body + kStore, 32, before);
}

/// Calls a function with one word as its argument, and stores the word that it returns in `result`.
std::string call(const std::string& function, const std::string& argument,
                 const std::string& result) {
  return "{ .param .b32 a; .param .b32 back; st.param.b32 [a], " + argument + ";\ncall (back), " +
         function + ", (a); ld.param.b32 " + result + ", [back]; }\n";
}

/// A function with the argument %r1.
std::string function(const std::string& name, const std::string& body) {
  return ".func (.param .b32 y) " + name +
         "(.param .b32 x) { .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>;\n"
         "ld.param.u32 %r1, [x]; " +
         body + " ret; }\n";
}

const char* const kAdd3 =
    ".func (.param .b32 sum) add3(.param .b32 a, .param .b64 b, .param .b32 c) {\n"
    ".reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
    "ld.param.u32 %r1, [a]; ld.param.u64 %rd1, [b]; ld.param.u32 %r2, [c];\n"
    "cvt.u32.u64 %r3, %rd1; add.u32 %r4, %r1, %r3; add.u32 %r4, %r4, %r2;\n"
    "st.param.b32 [sum], %r4; ret;\n}\n";

const char* const kCallAdd3 =
    "{ .param .b32 p0; .param .b64 p1; .param .b32 p2; .param .b32 back;\n"
    "st.param.b32 [p0], %r31; st.param.b64 [p1], 1000; st.param.b32 [p2], %r5;\n"
    "call.uni (back), add3, (p0, p1, p2); ld.param.b32 %r2, [back]; }\n";

TEST(Call, PassesTheArgumentAndTheResult) {
  EXPECT_EQ(results(kAdd3, std::string("mov.u32 %r5, 7;\n") + kCallAdd3),
            eachLane([](uint32_t i) { return i + 1007; }));
}

TEST(Call, WorksInABranchAndUnderAGuard) {
  EXPECT_EQ(results(kAdd3, std::string("mov.u32 %r2, 5; mov.u32 %r5, 7; setp.lt.u32 %p1, %r31, 9;\n"
                                       "@!%p1 bra DONE;\n") +
                               kCallAdd3 + "DONE: add.u32 %r2, %r2, 1;"),
            eachLane([](uint32_t i) { return i < 9 ? i + 1008 : 6; }));
  EXPECT_EQ(results(".func (.param .b32 x) one() { st.param.b32 [x], 1; ret; }\n",
                    "mov.u32 %r2, 5; setp.lt.u32 %p1, %r31, 9; { .param .b32 back;\n"
                    "st.param.b32 [back], 3; @%p1 call (back), one; ld.param.b32 %r2, [back]; }"),
            eachLane([](uint32_t i) { return i < 9 ? 1u : 3u; }));
}

TEST(Call, LanesThatReturnEarlyWaitForTheOthers) {
  // Odd lanes return n at once; even lanes run a loop first.
  EXPECT_EQ(
      results(function("late",
                       "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1;\n"
                       "st.param.b32 [y], %r1; @%p1 ret; mov.u32 %r3, 0;\n"
                       "LOOP: add.u32 %r3, %r3, 2; setp.lt.u32 %p2, %r3, %r1; @%p2 bra LOOP;\n"
                       "st.param.b32 [y], %r3;"),
              call("late", "%r31", "%r3") +
                  "vote.sync.ballot.b32 %r4, 1, -1; popc.b32 %r4, %r4; mad.lo.u32 %r2, %r4, 100, "
                  "%r3;"),
      eachLane([](uint32_t i) { return 3200 + (i == 0 ? 2 : i); }));
}

TEST(Call, RecursionKeepsEachCallsRegistersAndLocalVariables) {
  const std::string fib =
      function("fib",
               ".local .align 4 .b8 depot[8]; setp.ge.u32 %p1, %r1, 2; @%p1 bra DEEP;\n"
               "st.param.b32 [y], %r1; ret;\n"
               "DEEP: sub.u32 %r2, %r1, 1; mov.u64 %rd1, depot; st.local.u32 [%rd1], %r1;\n" +
                   call("fib", "%r2", "%r3") + "ld.local.u32 %r4, [%rd1]; sub.u32 %r4, %r4, 2;\n" +
                   call("fib", "%r4", "%r5") + "add.u32 %r6, %r3, %r5; st.param.b32 [y], %r6;");
  EXPECT_EQ(results(fib, "and.b32 %r1, %r31, 15; " + call("fib", "%r1", "%r2")),
            eachLane([](uint32_t lane) {
              uint32_t a = 0, b = 1;
              for (uint32_t i = 0; i < lane % 16; ++i) b = std::exchange(a, b) + b;
              return a;
            }));
}

const std::string kSource =
    ".global .align 4 .u32 source[9] = {0, 11, 22, 33, 44, 55, 66, 77, 88};\n"
    ".shared .align 4 .b8 tile[1024];\n";

TEST(Call, RecursionKeepsTheAddressesOfCopies) {
  // Each call computes its addresses, makes the next call, and then copies a word.
  EXPECT_EQ(
      results(kSource + function("fill",
                                 "setp.eq.u32 %p1, %r1, 0; @%p1 ret; mov.u32 %r2, tile;\n"
                                 "mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r3, 32, %r2;\n"
                                 "mad.lo.u32 %r4, %r1, 4, %r4; mov.u64 %rd1, source;\n"
                                 "mad.wide.u32 %rd2, %r1, 4, %rd1; sub.u32 %r5, %r1, 1;\n" +
                                     call("fill", "%r5", "%r6") +
                                     "cp.async.ca.shared.global [%r4+-4], [%rd2], 4;"),
              call("fill", "8", "%r4") +
                  "cp.async.wait_all; mov.u32 %r3, tile; mad.lo.u32 %r3, %r31, 32, %r3;\n"
                  "and.b32 %r4, %r31, 7; mad.lo.u32 %r3, %r4, 4, %r3; ld.shared.u32 %r2, [%r3];"),
      eachLane([](uint32_t i) { return 11 * (i % 8 + 1); }));
}

TEST(Call, RecursionKeepsTheAddressesOfPrefetches) {
  EXPECT_EQ(
      results(kSource + function("sum",
                                 "mov.u64 %rd1, source; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                                 "mov.u32 %r3, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra LAST;\n"
                                 "sub.u32 %r2, %r1, 1; " +
                                     call("sum", "%r2", "%r3") +
                                     "LAST: prefetch.global.L1 [%rd2]; ld.global.u32 %r4, [%rd2];\n"
                                     "add.u32 %r4, %r4, %r3; st.param.b32 [y], %r4;"),
              "and.b32 %r1, %r31, 7; " + call("sum", "%r1", "%r2")),
      eachLane([](uint32_t i) { return 11 * (i % 8) * (i % 8 + 1) / 2; }));
}

/// Computes the sum of 1 to `depth` with `depth` nested calls.
Machine recursionOf(uint32_t depth) {
  return Machine(call("sum", std::to_string(depth), "%r2"),
                 function("sum",
                          "mov.u32 %r3, 0; setp.le.u32 %p1, %r1, 1; @%p1 bra LAST;\n"
                          "sub.u32 %r2, %r1, 1;\n" +
                              call("sum", "%r2", "%r3") +
                              "LAST: add.u32 %r4, %r1, %r3; st.param.b32 [y], %r4;"),
                 0);
}

TEST(Call, RecursionIsLimitedToTheStackOfAGpu) {
  EXPECT_TRUE(recursionOf(130).run().faults.empty());  // Each call uses at least 8 bytes.
  EXPECT_TRUE(faulted(recursionOf(131).run(), "stack-overflow"));
  const ptx::Assembled assembled{{"test", {20, 0}}, {"sum", {0, 32}}};
  const auto runOf = [&](uint32_t depth) {
    Machine machine = recursionOf(depth);
    machine.request.assembled = &assembled;
    return machine.run();
  };
  EXPECT_TRUE(runOf(32).faults.empty());
  EXPECT_EQ(onlyFault(runOf(33)).message,
            "The recursion needs more than the 1024 bytes of stack that a thread has on a GPU, "
            "with 32 for this call; end it earlier (thread (0, 0, 0) of block (0, 0, 0)).");
}

TEST(Call, WorksThroughPointersInATable) {
  EXPECT_EQ(results(function("twice", "add.u32 %r2, %r1, %r1; st.param.b32 [y], %r2;") +
                        function("less", "sub.u32 %r2, %r1, 1; st.param.b32 [y], %r2;") +
                        ".global .align 8 .u64 table[2] = {twice, less};\n",
                    "and.b32 %r1, %r31, 1; mul.wide.u32 %rd1, %r1, 8; mov.u64 %rd2, table;\n"
                    "add.s64 %rd3, %rd2, %rd1; ld.global.u64 %rd4, [%rd3];\n"
                    "{ .param .b32 p0; .param .b32 back; st.param.b32 [p0], %r31;\n"
                    "prototype: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                    "call (back), %rd4, (p0), prototype; ld.param.b32 %r2, [back]; }\n"
                    "add.u32 %r2, %r2, 100;"),
            eachLane([](uint32_t i) { return 100 + (i % 2 ? i - 1 : 2 * i); }));
}

TEST(Call, ToAnAddressWithoutAFunctionIsAFault) {
  Machine machine("mov.u64 %rd1, 5; { prototype: .callprototype _ (); call %rd1, prototype; }", "",
                  0);
  const Fault fault = onlyFault(machine.run());
  EXPECT_TRUE(has(fault.message, "no function begins"));
}

TEST(Call, StructuresAndBytes) {
  EXPECT_EQ(
      results(
          ".func (.param .align 4 .b8 y[12]) turn(.param .align 4 .b8 x[12]) {\n"
          ".reg .b32 %r<8>; .reg .b16 %h<4>; ld.param.v2.u32 {%r1, %r2}, [x];\n"
          "ld.param.s8 %h1, [x+8]; cvt.s32.s16 %r3, %h1; st.param.b32 [y], %r3;\n"
          "st.param.v2.b32 [y+4], {%r2, %r1}; ret; }\n",
          "{ .param .align 4 .b8 p0[12]; .param .align 4 .b8 back[12];\n"
          "st.param.b32 [p0], %r31; st.param.b32 [p0+4], 40; mov.u16 %h1, 0x1fd;\n"
          "st.param.b8 [p0+8], %h1; call (back), turn, (p0);\n"
          "ld.param.b32 %r3, [back]; ld.param.b32 %r4, [back+4]; ld.param.b32 %r5, [back+8]; }\n"
          "mad.lo.u32 %r2, %r4, 100, %r5; add.u32 %r2, %r2, %r3;"),
      eachLane([](uint32_t i) { return 4000 + i - 3; }));
}

TEST(Branch, AnIndexedBranchSendsEachLaneToItsLabel) {
  EXPECT_EQ(results("",
                    "and.b32 %r1, %r31, 3; mov.u32 %r2, 0;\n"
                    "ways: .branchtargets A, B, C, B;\n"
                    "brx.idx %r1, ways;\nA: mov.u32 %r2, 10; bra DONE;\n"
                    "B: mov.u32 %r2, 20; bra DONE;\nC: mov.u32 %r2, 30;\n"
                    "DONE: vote.sync.ballot.b32 %r3, 1, -1; popc.b32 %r3, %r3;\n"
                    "add.u32 %r2, %r2, %r3;"),
            eachLane([](uint32_t i) {
              return 32 + (i % 4 == 0 ? 10u : i % 4 == 2 ? 30u : 20u);
            }));
}

const char* const kPrint =
    ".extern .func (.param .b32 back) vprintf (.param .b64 a, .param .b64 b);\n"
    ".global .align 1 .b8 text[24] = "
    "{104,105,32,37,100,32,37,46,50,102,32,37,115,32,37,108,108,120,"
    "10,0,0,0,0,0};\n"  // "hi %d %.2f %s %llx\n"
    ".global .align 1 .b8 word[4] = {111, 107, 33, 0};\n";
const char* const kCallPrint =
    "mov.u64 %rd1, depot; cvta.local.u64 %rd2, %rd1; st.local.u32 [depot], %r31;\n"
    "cvt.rn.f64.u32 %fd1, %r31; st.local.f64 [depot+8], %fd1; mov.u64 %rd3, word;\n"
    "cvta.global.u64 %rd3, %rd3; st.local.u64 [depot+16], %rd3; st.local.u64 [depot+24], 0xabc;\n"
    "mov.u64 %rd4, text; cvta.global.u64 %rd5, %rd4;\n"
    "{ .param .b64 p0; .param .b64 p1; .param .b32 back; st.param.b64 [p0], %rd5;\n"
    "st.param.b64 [p1], %rd2; call.uni (back), vprintf, (p0, p1); ld.param.b32 %r2, [back]; }\n";

TEST(Print, OutputIsInTheOrderOfBlocksAndThreads) {
  Machine machine(std::string(".local .align 8 .b8 depot[32];\n") + kCallPrint, kPrint, 0);
  machine.grid(3, 2).block(40).threads(3);
  const GridResult result = machine.runWell();
  ASSERT_EQ(result.printed.size(), 240u);
  EXPECT_TRUE(result.printedAll);
  for (uint32_t i = 0; i < 240; ++i) {
    EXPECT_EQ(result.printed[i].block, (Dim3{i / 40 % 3, i / 120, 0}));
    EXPECT_EQ(result.printed[i].thread, (Dim3{i % 40, 0, 0}));
    const std::string number = std::to_string(i % 40);
    EXPECT_EQ(result.printed[i].text, "hi " + number + " " + number + ".00 ok! abc\n");
  }
}

TEST(Print, IsBounded) {
  Machine machine(std::string(".local .align 8 .b8 depot[32];\n") + kCallPrint, kPrint, 0);
  machine.grid(400);
  const GridResult result = machine.runWell();
  EXPECT_EQ(result.printed.size(), kMostPrinted);
  EXPECT_FALSE(result.printedAll);
}

TEST(Assert, IsAFaultWithItsText) {
  Machine machine(
      "setp.ne.u32 %p1, %r31, 5; @%p1 bra DONE; mov.u64 %rd1, what; cvta.global.u64 %rd2, %rd1;\n"
      "mov.u64 %rd3, file; cvta.global.u64 %rd4, %rd3;\n"
      "{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;\n"
      "st.param.b64 [p0], %rd2; st.param.b64 [p1], %rd4; st.param.b32 [p2], 12;\n"
      "st.param.b64 [p3], %rd4; st.param.b64 [p4], 1;\n"
      "call.uni __assertfail, (p0, p1, p2, p3, p4); }\nDONE:",
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
      ".param .b64 e) .noreturn;\n"
      ".global .align 1 .b8 what[4] = {105, 60, 51, 0};\n"
      ".global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};\n",
      0);
  const Fault fault = onlyFault(machine.run());
  EXPECT_EQ(fault.kind, "assert");
  EXPECT_EQ(fault.thread, (Dim3{5, 0, 0}));
  EXPECT_TRUE(has(fault.message, "`i<3`"));
  EXPECT_TRUE(has(fault.message, "a.cu:12"));
}

TEST(Heap, GivesEachThreadSeparateMemory) {
  const char* declarations =
      ".extern .func (.param .b64 back) malloc (.param .b64 a);\n"
      ".extern .func free (.param .b64 a);\n";
  EXPECT_EQ(results(declarations,
                    "{ .param .b64 p0; .param .b64 back; st.param.b64 [p0], 24;\n"
                    "call (back), malloc, (p0); ld.param.b64 %rd1, [back]; }\n"
                    "st.u32 [%rd1+20], %r31; bar.warp.sync -1; ld.u32 %r2, [%rd1+20];\n"
                    "{ .param .b64 p0; st.param.b64 [p0], %rd1; call free, (p0); }"),
            eachLane([](uint32_t i) { return i; }));
  // malloc returns null if no memory is left. Freeing a pointer that malloc did not return is a
  // fault.
  EXPECT_EQ(results(declarations,
                    "{ .param .b64 p0; .param .b64 back; st.param.b64 [p0], 0x10000000;\n"
                    "call (back), malloc, (p0); ld.param.b64 %rd1, [back]; }\n"
                    "cvt.u32.u64 %r2, %rd1;"),
            Words(32, 0));
  Machine machine("{ .param .b64 p0; st.param.b64 [p0], 64; call free, (p0); }", declarations, 0);
  EXPECT_EQ(machine.run().faults.size(), 1u);
}

TEST(Variables, MayPointToEachOther) {
  EXPECT_EQ(results(".global .align 4 .u32 values[4] = {10, 20, 30, 40};\n"
                    ".global .align 8 .u64 third = generic(values)+8;\n"
                    ".const .align 8 .u64 second = values+4;\n",
                    "ld.global.u64 %rd1, [third]; ld.u32 %r3, [%rd1];\n"
                    "ld.const.u64 %rd2, [second]; ld.global.u32 %r4, [%rd2];\n"
                    "mad.lo.u32 %r2, %r3, 100, %r4;"),
            Words(32, 3020));
}

}  // namespace tilestep::simt::call_test
