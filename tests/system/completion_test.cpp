// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/files.h"
#include "base/private_folder.h"
#include "support/results.h"
#include "support/source_root.h"
#include "support/tool.h"

/// Compares packaging/completion.bash with the help of each command.
namespace tilestep::system_test::completion_test {

namespace fs = std::filesystem;
using support::Finished;
using support::Running;
using support::tilestep;
using support::Words;
using Names = std::set<std::string>;

const std::string kRoot = support::sourceRoot();

Names linesOf(const std::string& text) {
  std::istringstream lines(text);
  Names names;
  for (std::string line; std::getline(lines, line);) names.insert(line);
  return names;
}

/// The words that bash would insert at the end of `line`, which begins with "tilestep". The shell
/// executes `before` first.
Names completed(const std::string& line, const Words& environment = {},
                const std::string& before = {}) {
  const std::string build = fs::path(support::tilestepWords({}).front()).parent_path().string();
  const std::string script = "PATH=$2:$PATH; source \"$0\"; " + before +
                             "COMP_LINE=$1; COMP_POINT=${#1}; _tilestep tilestep; "
                             "((${#COMPREPLY[@]} == 0)) || printf '%s\\n' \"${COMPREPLY[@]}\"";
  const Finished done =
      Running({"bash", "-c", script, kRoot + "/packaging/completion.bash", line, build},
              support::tilestepEnvironment(environment))
          .wait();
  EXPECT_EQ(done.status, 0) << line;
  EXPECT_EQ(done.err, "") << line;
  return linesOf(done.out);
}

/// Every --name and -n at the beginning of a line of this command's help.
Names optionsInHelp(const std::string& command) {
  const Words words = command.empty() ? Words{"--help"} : Words{command, "--help"};
  std::istringstream help(tilestep(words).out);
  Names options;
  for (std::string line; std::getline(help, line);) {
    if (!line.starts_with("  -")) continue;
    std::istringstream names(line.substr(2, line.find(' ', 2) - 2));
    for (std::string name; std::getline(names, name, ',');) options.insert(name);
  }
  return options;
}

bool includes(const Names& all, const Names& some) {
  return std::ranges::includes(all, some);
}

const Names kCommands{"run", "sweep", "record", "kernels", "labs",  "devices",
                      "ptx", "draft", "play",   "worker",  "grade", "assignment"};

TEST(Completion, HasEveryCommand) {
  EXPECT_EQ(completed("tilestep "), kCommands);
  EXPECT_EQ(completed("tilestep --fresh r"), (Names{"run", "record"}));
  const std::string help = tilestep({"--help"}).out;
  for (const std::string& command : kCommands)
    EXPECT_TRUE(has(help, "\n  " + command + " ")) << command;
}

TEST(Completion, HasEveryOptionOfEveryCommand) {
  EXPECT_EQ(completed("tilestep -"), optionsInHelp(""));
  EXPECT_TRUE(optionsInHelp("").contains("--state-file"));
  for (const std::string& command : kCommands) {
    const Names options = optionsInHelp(command);
    EXPECT_GE(options.size(), 2U) << command;
    EXPECT_EQ(completed("tilestep " + command + " -"), options) << command;
  }
}

TEST(Completion, OffersShippedAndOwnKernels) {
  const PrivateFolder data;
  const auto text = readTextFile(kRoot + "/kernels/matmul_tiled.cu");
  ASSERT_TRUE(text);
  ASSERT_TRUE(writeFileAtomically(data.path() / "tilestep/kernels/my_tiled.cu",
                                  support::replaced(*text, "matmul_tiled", "my_tiled")));
  ASSERT_TRUE(writeFileAtomically(data.path() / "tilestep/kernels/my_damage.cu", "damage"));
  const Words own{"XDG_DATA_HOME=" + data.path().string()};
  Names kernels;
  const nlohmann::json listed = nlohmann::json::parse(tilestep({"kernels", "--json"}, own).out);
  for (const auto& kernel : listed.at("kernels"))
    if (kernel.contains("name")) kernels.insert(kernel["name"]);
  ASSERT_TRUE(includes(kernels, {"matmul_tiled", "rung13_top", "my_tiled"}));
  for (const char* line : {"tilestep run ", "tilestep ptx --json ", "tilestep --kernel ",
                           "tilestep sweep --size 64 ", "tilestep record --out x.tsrec "})
    EXPECT_TRUE(includes(completed(line, own), kernels)) << line;
  EXPECT_EQ(completed("tilestep run my_", own), Names{"my_tiled"});
  EXPECT_EQ(completed("tilestep --beside no"), Names{"none"});
}

/// readline replaces only what follows a colon or an equals sign, unless they break no words.
TEST(Completion, ContinuesAfterAColonOrAnEqualsSign) {
  const std::string whole = "COMP_WORDBREAKS=' '; ";
  EXPECT_EQ(completed("tilestep run --device=si", {}, whole), Names{"--device=simt"});
  EXPECT_EQ(completed("tilestep run --device recorded:nvidia-h2", {}, whole),
            Names{"recorded:nvidia-h200"});
  EXPECT_EQ(completed("tilestep run --device recorded:nvidia-h2"), Names{"nvidia-h200"});
  EXPECT_EQ(completed("tilestep run --device=si"), Names{"simt"});
  EXPECT_EQ(completed("tilestep run --device=recorded:"), Names{"nvidia-h200"});
}

TEST(Completion, OffersFilesOnlyForFileArguments) {
  EXPECT_EQ(completed("tilestep --state-file READ"), Names{"README.md"});
  EXPECT_EQ(completed("tilestep run kernels/matmul_n"), Names{"kernels/matmul_naive.cu"});
  EXPECT_EQ(completed("tilestep run --size "), Names{});
  EXPECT_EQ(completed("tilestep kernels READ"), Names{});
}

}  // namespace tilestep::system_test::completion_test
