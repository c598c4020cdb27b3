// SPDX-License-Identifier: Apache-2.0
#include "stored/stored_results.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "support/remake.h"
#include "support/service.h"
#include "support/source_root.h"

namespace tilestep::tests {
namespace {

/// Runs a line of the shell with its arguments, $1 and on.
void shell(const std::string& line, const support::Words& arguments) {
  support::Words words{"sh", "-c", line, "sh"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const support::Finished finished = support::Running(words).wait();
  if (finished.status != 0) throw std::runtime_error(line + ": " + finished.err);
}

/// The stored results, unpacked as the cache that this program's workers use.
class StoredResults {
 public:
  StoredResults() {
    std::filesystem::create_directory(cache());
    std::filesystem::permissions(cache(), std::filesystem::perms::owner_all);
    if (support::remakes()) expectStoredCompiler();
    // A remake of some tests keeps the results of the others.
    if (!support::remakes() || GTEST_FLAG_GET(filter) != "*")
      shell("tar -xmJf \"$1\" -C \"$2\"", {pack(), cache()});
  }

  /// Adds the results of this program to those of the others.
  void keep() const {
    shell(
        "cd \"$2\" && { [ ! -e \"$1\" ] || tar -xmJf \"$1\" --skip-old-files; } && tar -cJf "
        "\"$1.new\" --sort=name --owner=0 --group=0 --mtime=@0 *.ptxcache && mv \"$1.new\" \"$1\"",
        {pack(), cache()});
  }

  [[nodiscard]] support::Words environment() const {
    support::Words words{"TILESTEP_TOOLKIT=", "TILESTEP_COMPILER=nvrtc",
                         "XDG_CACHE_HOME=" + folder_.path()};
    if (!support::remakes()) words.push_back("CUDA_HOME=" STORED_TOOLKIT);
    return words;
  }

 private:
  static void expectStoredCompiler() {
    const std::string devices = support::tilestep({"devices"}).out;
    if (devices.find(std::string("compiler: ") + kStoredCompiler) == std::string::npos)
      throw std::runtime_error(std::string("results are stored with ") + kStoredCompiler +
                               "; `tilestep devices` says:\n" + devices);
  }
  static std::string pack() { return support::sourceRoot() + "/tests/stored/results.tar.xz"; }
  [[nodiscard]] std::string cache() const { return folder_.path("tilestep"); }

  support::TemporaryFolder folder_{"stored"};
};

/// Null until a test asks for them.
std::unique_ptr<const StoredResults>& results() {
  static std::unique_ptr<const StoredResults> all;
  return all;
}

/// Stores the results of a remake after the last test.
class Keeper : public testing::Environment {
 public:
  void TearDown() override {
    if (support::remakes() && results()) results()->keep();
  }
};
const testing::Environment* const keeper = testing::AddGlobalTestEnvironment(new Keeper);

}  // namespace

const support::Words& storedCompiler() {
  if (!results()) results() = std::make_unique<const StoredResults>();
  static const support::Words words = results()->environment();
  return words;
}

}  // namespace tilestep::tests
