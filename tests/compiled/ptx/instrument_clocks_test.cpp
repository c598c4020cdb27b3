// SPDX-License-Identifier: Apache-2.0
// The clock-reading module keeps the program unchanged, within the plain kernel's registers.
// tests/gpu checks the clocks on a GPU.
#include "ptx/rewrite/instrument_clocks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "compile/compiler.h"
#include "compile/kernel.h"
#include "ptx/analysis/counted.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"
#include "support/results.h"
#include "support/skips.h"
#include "support/source_root.h"
#include "support/toolkit.h"

namespace tilestep::ptx::instrument_clocks_test {

const Function& entryOf(const Module& module) {
  return *std::find_if(module.functions.begin(), module.functions.end(),
                       [](const Function& f) { return f.isEntry; });
}

Launch launchOf(const std::string& entry) {
  Launch launch;
  launch.entry = entry;
  launch.block = {16, 16, 1};
  return launch;
}

Result<std::shared_ptr<const compile::Compiled>> tiled() {
  compile::CompileService service({support::sourceRoot(), "", ""});
  compile::CompileRequest request;
  request.source = compile::findKernel(support::sourceRoot() + "/kernels", "matmul_tiled").value();
  request.tunables = {{"TILE_WIDTH", 16}};
  return service.compile(request);
}

TEST(InstrumentClocks, KeepsEveryInstructionInItsOrder) {
  const auto kernel = valueOrThrow(tiled());
  const Function& entry = entryOf(*kernel->module);
  const auto made = valueOrThrow(instrumentClocks(*kernel->module, launchOf(entry.name), 32));
  const auto again = valueOrThrow(parse(made));
  const Function& rewritten = entryOf(again);
  size_t next = 0;
  for (size_t i = 0; i < rewritten.body.size() && next < entry.body.size(); ++i) {
    if (print(rewritten.body[i], rewritten) != print(entry.body[next], entry)) continue;
    ++next;
    if (!isBarrier(rewritten.body[i])) continue;
    // A clock is read directly before and directly after it.
    EXPECT_TRUE(has(print(rewritten.body[i - 1], rewritten), "%clock"));
    EXPECT_TRUE(has(print(rewritten.body[i + 1], rewritten), "%clock"));
  }
  EXPECT_EQ(next, entry.body.size());
}

TEST(InstrumentClocks, FitsThePlainKernelsRegistersWithoutSpilling) {
  const auto kernel = valueOrThrow(tiled());
  const std::string ptxas = support::toolkitProgram("ptxas");
  if (ptxas.empty()) GTEST_SKIP() << support::because(support::kNoToolkit, "ptxas was not found");
  const auto made =
      valueOrThrow(instrumentClocks(*kernel->module, launchOf(entryOf(*kernel->module).name), 32));
  const auto file = std::filesystem::temp_directory_path() /
                    ("tilestep-clocks-" + std::to_string(getpid()) + ".ptx");
  ASSERT_TRUE(writeFileAtomically(file, made).ok());
  const std::string command =
      ptxas + " -arch=sm_90 -v -o /dev/null " + file.string() + " 2> " + file.string() + ".log";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const Result<std::string> log = readTextFile(file.string() + ".log");
  ASSERT_TRUE(log.ok());
  EXPECT_TRUE(has(*log, " 0 bytes spill stores"));
  std::filesystem::remove(file);
  std::filesystem::remove(file.string() + ".log");
}

TEST(InstrumentClocks, AKernelsOwnRegisterLimitStays) {
  auto module = valueOrThrow(parse(
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n.maxnreg 24\n{\nret;"
      "\n}\n"));
  const auto own = instrumentClocks(module, launchOf("k"), 32);
  ASSERT_TRUE(own.ok());
  EXPECT_TRUE(has(*own, ".maxnreg 24"));
  EXPECT_FALSE(has(*own, ".maxnreg 32"));
}

}  // namespace tilestep::ptx::instrument_clocks_test
