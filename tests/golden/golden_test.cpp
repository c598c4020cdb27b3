// SPDX-License-Identifier: Apache-2.0
// Golden cases. A file contains its command, its input and the expected output.
//
//   //! command: print            print | explicit-rounding | clocks | accumulators |
//                                 control-flow | run (see run_command.h)
//   (PTX, or for run CUDA C++ with front matter)
//   //! expected:
//   (text)
//
// `test_kernels --remake` writes the program's current output into every file; read the difference
// before you keep it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "golden/commands.h"
#include "golden/run_command.h"
#include "support/remake.h"
#include "support/results.h"
#include "support/skips.h"
#include "support/source_root.h"

namespace tilestep::golden::golden_test {

constexpr std::string_view kCommand = "//! command: ";
constexpr std::string_view kExpected = "//! expected:\n";

struct Case {
  std::string command;
  std::string input;  ///< Includes the command's line, so that errors name the lines of the file.
  std::string expected;
};

Result<Case> readCase(const std::filesystem::path& path) {
  const Result<std::string> text = readTextFile(path);
  if (!text) return text.error();
  if (!text->starts_with(kCommand)) return workError("the first line is no command");
  const size_t expected = std::min(text->find(kExpected), text->size());
  const size_t commandEnd = std::min(text->find('\n'), text->size());
  Case found;
  found.command = text->substr(kCommand.size(), commandEnd - kCommand.size());
  found.input = text->substr(0, expected);
  if (expected < text->size()) found.expected = text->substr(expected + kExpected.size());
  return found;
}

std::vector<std::filesystem::path> listCases() {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path root = support::sourceRoot() + "/tests/golden";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const auto kind = entry.path().extension();
    if (kind == ".ptx" || kind == ".cu") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Golden : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Golden, OutputMatchesFile) {
  const auto found = valueOrThrow(readCase(GetParam()));
  const std::string name = GetParam().filename().string();
  const auto other = valueOrThrow(otherCompiler(name));
  if (!other.empty()) GTEST_SKIP() << support::because(support::kNoNvrtc13, other);
  const std::string said =
      found.command == "run" ? runCase(found.input, name) : run(found.command, found.input, name);
  if (support::remakes()) {
    const Status written =
        writeFileAtomically(GetParam(), found.input + std::string(kExpected) + said);
    ASSERT_TRUE(written.ok()) << toString(written.error());
    return;
  }
  EXPECT_EQ(said, found.expected);
  const std::string folder = GetParam().parent_path().filename().string();
  const bool isBad = folder == "run_bad";
  const bool isRefused = said.find(name + ":") != std::string::npos || said.rfind("fault ") == 0 ||
                         said.find("\nfault ") != std::string::npos ||
                         said.find("hazard ") != std::string::npos;
  EXPECT_EQ(isBad, isRefused) << "bad cases are refused, the others are not";
}

std::string nameOf(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name =
      info.param.parent_path().filename().string() + "_" + info.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Ptx, Golden, testing::ValuesIn(listCases()), nameOf);

}  // namespace tilestep::golden::golden_test
