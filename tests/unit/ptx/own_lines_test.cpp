// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/own_lines.h"

#include <gtest/gtest.h>

#include "ptx/text/parser.h"
#include "ptx/text/printer.h"

namespace tilestep::ptx::own_lines_test {

const char* const kText = R"(.version 7.5
.target sm_75
.address_size 64
.visible .entry scale()
{
	.reg .b32 %r<3>;
	.loc 1 3 0
	mov.u32 %r1, 1;
	.loc 999999999 4294967295 0
	mov.u32 %r2, 2;
	.loc 1 10 0
	mov.u32 %r1, 3;
	.loc 1 11 0
	ret;
}
)";

std::vector<uint32_t> linesOf(const Module& module) {
  std::vector<uint32_t> lines;
  for (const Instruction& instruction : module.functions.front().body) {
    EXPECT_LE(instruction.source.line, 10U);
    lines.push_back(instruction.outerLine.line);
  }
  return lines;
}

TEST(OwnLines, LinesBeyondTheFileAreDropped) {
  Module module = parse(kText).value();
  dropLinesAbove(module, 10);
  EXPECT_EQ(linesOf(module), (std::vector<uint32_t>{3, 0, 10, 0}));
  EXPECT_EQ(linesOf(parse(print(module)).value()), linesOf(module))
      << "a cache may print and parse the module again";
}

}  // namespace tilestep::ptx::own_lines_test
