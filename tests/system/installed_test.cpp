// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "base/private_folder.h"
#include "base/process/run_command.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/skips.h"
#include "support/source_root.h"
#include "support/tool.h"
#include "support/virtual_display.h"

namespace tilestep::system_test::installed_test {

const support::OwnProcess ownProcess{"Installed"};

namespace fs = std::filesystem;
using nlohmann::json;
using support::Finished;
using support::Running;
using support::tilestep;
using support::Words;

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

/// The program, installed into its own folder for a new user.
class Installed : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path build = fs::path(support::tilestepWords({}).front()).parent_path();
    const auto installed = valueOrThrow(
        runCommand({"cmake", "--install", build.string(), "--prefix", prefix().string()},
                   std::chrono::seconds(60)));
    ASSERT_EQ(installed.exitStatus, 0) << installed.output;
    // The working folder contains everything that the program reads, but the program must not use
    // it.
    fs::current_path(support::sourceRoot());
    ASSERT_TRUE(fs::exists("kernels/transpose.cu"));
  }

  fs::path prefix() const { return folder_.path() / "usr"; }
  fs::path share() const { return prefix() / "share" / "tilestep"; }
  fs::path own() const { return folder_.path() / "data" / "tilestep" / "kernels"; }
  fs::path pictures() const { return folder_.path() / "pictures"; }
  /// Runs the installed program. `before`: the words of a command that starts it.
  Finished run(const Words& arguments, Words before = {}, const Words& environment = {}) const {
    before.push_back((prefix() / "bin" / "tilestep").string());
    before.insert(before.end(), arguments.begin(), arguments.end());
    const std::string folder = folder_.path().string();
    Words all = support::tilestepEnvironment({"TILESTEP_HOME=", "HOME=" + folder,
                                              "XDG_DATA_HOME=" + folder + "/data",
                                              "XDG_STATE_HOME=" + folder + "/state"});
    all.insert(all.end(), environment.begin(), environment.end());
    return Running(before, all).wait();
  }
  /// Kernels by name. A kernel that cannot be used is listed by its path, with its error.
  std::map<std::string, json> kernels() const {
    const Finished list = run({"kernels", "--json"});
    EXPECT_EQ(list.status, 0) << list.err;
    std::map<std::string, json> found;
    const json all = json::parse(list.out);
    for (const json& kernel : all.at("kernels"))
      found[kernel.contains("name") ? kernel["name"] : kernel["source"]] = kernel;
    return found;
  }
  void putOwn(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(writeFileAtomically(own() / name, text));
  }
  /// A shipped kernel under another name.
  static std::string renamed(const std::string& to) {
    const auto text = readTextFile(support::sourceRoot() + "/kernels/matmul_tiled.cu");
    EXPECT_TRUE(text);
    return support::replaced(*text, "matmul_tiled", to);
  }

 private:
  PrivateFolder folder_;
};

TEST_F(Installed, OnlyFilesInstalledWithTheProgramAreUsed) {
  const fs::path link = share().parent_path() / "link";
  fs::create_symlink(prefix() / "bin" / "tilestep", link);
  const Finished linked = Running({link.string(), "kernels"}, {"TILESTEP_HOME="}).wait();
  EXPECT_EQ(linked.status, 0) << linked.err;
  EXPECT_TRUE(has(linked.out, "matmul_tiled"));
  fs::remove(share() / "kernels" / "transpose.cu");
  EXPECT_TRUE(kernels().contains("matmul_tiled"));
  EXPECT_FALSE(kernels().contains("transpose"));
  fs::remove_all(share());
  const Finished list = run({"kernels"});
  EXPECT_EQ(list.status, 2);
  EXPECT_TRUE(has(list.err, "TILESTEP_HOME"));
}

TEST_F(Installed, DesktopFilesCompletionAndManualAreInStandardFolders) {
  for (const char* file :
       {"share/man/man1/tilestep.1.gz", "share/doc/tilestep/README.md",
        "share/doc/tilestep/docs/kernels.md", "share/doc/tilestep/copyright",
        "share/bash-completion/completions/tilestep", "share/zsh/vendor-completions/_tilestep"})
    EXPECT_TRUE(fs::exists(prefix() / file)) << file;
  const fs::path entry = prefix() / "share/applications/tilestep.desktop";
  if (!fs::exists(entry)) return;  // A build without the window has no desktop files.
  const auto text = readTextFile(entry);
  ASSERT_TRUE(text);
  for (const char* line : {"\nExec=tilestep\n", "\nIcon=tilestep\n", "\nStartupWMClass=tilestep\n"})
    EXPECT_TRUE(has(*text, line)) << line;
  EXPECT_TRUE(fs::exists(prefix() / "share/icons/hicolor/scalable/apps/tilestep.svg"));
}

TEST_F(Installed, OwnKernelsAreListedAndRunBesideDamagedOnes) {
  putOwn("mine.cu", renamed("mine"));
  putOwn("broken.cu", "/*---\ntitle = \n---*/\n");
  const auto found = kernels();
  ASSERT_TRUE(found.contains("mine"));
  EXPECT_EQ(found.at("mine").at("source"), (own() / "mine.cu").string());
  EXPECT_TRUE(found.contains("matmul_tiled"));
  const std::string broken = (own() / "broken.cu").string();
  ASSERT_TRUE(found.contains(broken));
  EXPECT_TRUE(has(found.at(broken).at("error").get<std::string>(), "broken.cu:2"));
  const Finished mine = run({"run", "mine", "--size", "32", "--device", "simt", "--check"});
  EXPECT_EQ(mine.status, 0) << mine.out << mine.err;
}

TEST_F(Installed, AShippedKernelHidesAnOwnFileOfItsNameWithANotice) {
  putOwn("matmul_tiled.cu", "not a kernel");
  const std::string hidden = (own() / "matmul_tiled.cu").string();
  const auto found = kernels();
  EXPECT_EQ(found.at("matmul_tiled").at("source"), "kernels/matmul_tiled.cu");
  ASSERT_TRUE(found.contains(hidden));
  const std::string why = found.at(hidden).at("error");
  EXPECT_TRUE(has(why, "rename the file"));
  EXPECT_TRUE(has(run({"kernels"}).out, why));
  const Words words{"run", "matmul_tiled", "--size", "16", "--device", "simt", "--check"};
  const Finished shipped = run(words);
  EXPECT_EQ(shipped.status, 0) << shipped.err;
  EXPECT_TRUE(has(shipped.err, why));
  const Finished other = run({"run", "transpose", "--size", "16", "--device", "simt"});
  EXPECT_FALSE(has(other.err, why));
}

/// The words that start a command without network access; empty if that is not permitted.
Words withoutNetwork() {
  // An ordinary user may unshare the network together with the user; root in a chroot may unshare
  // only the network.
  for (const char* option : {"-rn", "-n"})
    if (Running({"unshare", option, "true"}).wait().status == 0) return {"unshare", option};
  return {};
}

#define NEEDS_NAMESPACES(words) \
  if ((words).empty())          \
  GTEST_SKIP() << support::because(support::kNoNamespaces, "unshare -n is not permitted here")

TEST_F(Installed, TheCommandsWorkWithoutANetwork) {
  const Words alone = withoutNetwork();
  NEEDS_NAMESPACES(alone);
  const Finished list = run({"kernels"}, alone);
  EXPECT_EQ(list.status, 0) << list.err;
  const Finished checked =
      run({"run", "matmul_tiled", "--size", "32", "--device", "simt", "--check"}, alone);
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
}

TEST_F(Installed, TheWindowWorksWithoutANetwork) {
  const Words alone = withoutNetwork();
  NEEDS_NAMESPACES(alone);
  const support::VirtualDisplay display(1280, 800);
  if (!display.ok()) GTEST_SKIP() << display.why();
  const Finished played = run({"play", "4-edges", "--device", "simt", "--out", pictures().string()},
                              alone, display.environment());
  if (!fs::exists(prefix() / "share/applications/tilestep.desktop")) {
    EXPECT_EQ(played.status, 2) << "a build without the window says that it has none";
    return;
  }
  EXPECT_EQ(played.status, 0) << played.err;
  EXPECT_GT(std::distance(fs::directory_iterator(pictures()), fs::directory_iterator()), 3);
}

TEST(Manual, HasEachCommand) {
  const auto page = readTextFile(fs::path(support::sourceRoot()) / "docs" / "tilestep.1");
  ASSERT_TRUE(page);
  const std::vector<std::string> names = commandsInHelp();
  ASSERT_GT(names.size(), 5U);
  for (const std::string& name : names) EXPECT_TRUE(has(*page, ".B " + name + "\n")) << name;
}

}  // namespace tilestep::system_test::installed_test
