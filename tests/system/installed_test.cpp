// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/files.h"
#include "base/private_folder.h"
#include "base/run_command.h"
#include "support/source_root.h"
#include "support/tool.h"

namespace tilestep::system_test {
namespace installed_test {

namespace fs = std::filesystem;
using support::Running;
using support::tilestep;

/// The names under "Subcommands:" in the help.
std::vector<std::string> commandsInHelp() {
  std::istringstream help(tilestep({"--help"}).out);
  std::vector<std::string> names;
  bool inList = false;
  for (std::string line; std::getline(help, line);) {
    if (inList && !line.starts_with("  ")) break;
    if (inList) names.push_back(line.substr(2, line.find(' ', 2) - 2));
    inList = inList || line == "Subcommands:";
  }
  return names;
}

TEST(Installed, TheProgramFindsTheFilesInstalledWithIt) {
  const PrivateFolder folder;
  const fs::path build = fs::path(support::tilestepWords({}).front()).parent_path();
  const auto installed =
      runCommand({"cmake", "--install", build.string(), "--prefix", folder.path().string()},
                 std::chrono::seconds(60));
  ASSERT_TRUE(installed) << installed.error().message;
  ASSERT_EQ(installed->exitStatus, 0) << installed->output;
  EXPECT_TRUE(fs::exists(folder.path() / "share" / "man" / "man1" / "tilestep.1"));
  // Those in the working folder, from which this test is run, are all there.
  fs::remove(folder.path() / "share" / "tilestep" / "kernels" / "transpose.cu");
  Running program({(folder.path() / "bin" / "tilestep").string(), "kernels", "--json"},
                  {"TILESTEP_HOME="});
  const support::Finished list = program.wait();
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_NE(list.out.find("\"matmul_tiled\""), std::string::npos) << list.out;
  EXPECT_EQ(list.out.find("\"transpose\""), std::string::npos) << list.out;
}

TEST(Installed, TheManualPageHasEachCommand) {
  const auto page = readTextFile(fs::path(support::sourceRoot()) / "docs" / "tilestep.1");
  ASSERT_TRUE(page);
  const std::vector<std::string> names = commandsInHelp();
  ASSERT_GT(names.size(), 5U);
  for (const std::string& name : names)
    EXPECT_NE(page->find(".B " + name + "\n"), std::string::npos) << name;
}

}  // namespace installed_test
}  // namespace tilestep::system_test
