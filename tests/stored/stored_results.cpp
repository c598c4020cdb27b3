// SPDX-License-Identifier: Apache-2.0
#include "stored/stored_results.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "base/files.h"
#include "support/remake.h"
#include "support/service.h"
#include "support/source_root.h"

namespace tilestep::tests {
namespace {

namespace fs = std::filesystem;

/// More than any pack holds.
constexpr size_t kMostBytes = size_t{256} << 20;

using Stream = std::unique_ptr<gzFile_s, decltype(&gzclose)>;

Stream opened(const fs::path& pack, const char* mode) {
  Stream stream(gzopen(pack.c_str(), mode), &gzclose);
  if (!stream) throw std::runtime_error("cannot open " + pack.string());
  return stream;
}

std::string contentOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream content;
  content << in.rdbuf();
  return content.str();
}

/// All that the pack holds.
std::string inflated(const fs::path& pack) {
  const Stream stream = opened(pack, "rb");
  std::string all;
  std::array<char, size_t{1} << 16> piece{};
  while (true) {
    const int size = gzread(stream.get(), piece.data(), piece.size());
    if (size < 0) throw std::runtime_error(pack.string() + " is damaged");
    if (size == 0) return all;
    all.append(piece.data(), static_cast<size_t>(size));
    if (all.size() > kMostBytes) throw std::runtime_error(pack.string() + " is too large");
  }
}

/// The results of one test program: its pack, and the cache that its workers use.
class StoredResults {
 public:
  StoredResults()
      : pack_(fs::path(support::sourceRoot()) / "tests" / "stored" /
              (programPath().filename().string().substr(std::string("test_").size()) + ".gz")) {
    if (support::remakes()) expectStoredCompiler();
    // A remake of some tests keeps the results of the others.
    const bool isPart = GTEST_FLAG_GET(filter) != "*";
    if (!support::remakes() || (isPart && fs::exists(pack_))) unpackFolder(pack_, cache());
  }

  void keep() const { packFolder(cache(), pack_); }

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
  [[nodiscard]] fs::path cache() const { return folder_.path("tilestep"); }

  support::TemporaryFolder folder_{"stored"};
  fs::path pack_;
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

/// A file's line, "NAME SIZE", and then its content, for each file in the order of the names.
void packFolder(const fs::path& folder, const fs::path& pack) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".ptxcache") files.push_back(entry.path());
  std::ranges::sort(files);
  const fs::path unfinished = pack.string() + ".new";
  Stream stream = opened(unfinished, "wb9");
  for (const fs::path& file : files) {
    const std::string content = contentOf(file);
    const std::string text =
        file.filename().string() + ' ' + std::to_string(content.size()) + '\n' + content;
    if (gzwrite(stream.get(), text.data(), static_cast<unsigned>(text.size())) <= 0)
      throw std::runtime_error("cannot write " + unfinished.string());
  }
  if (gzclose(stream.release()) != Z_OK)
    throw std::runtime_error("cannot write " + unfinished.string());
  fs::rename(unfinished, pack);
}

void unpackFolder(const fs::path& pack, const fs::path& folder) {
  const std::string all = inflated(pack);
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);
  for (size_t at = 0; at < all.size();) {
    const size_t end = all.find('\n', at);
    const size_t space = all.rfind(' ', end);
    if (end == std::string::npos || space == std::string::npos || space < at)
      throw std::runtime_error(pack.string() + " is damaged");
    const std::string name = all.substr(at, space - at);
    const size_t size = std::strtoull(all.c_str() + space, nullptr, 10);
    if (name.find('/') != std::string::npos || size > all.size() - end - 1)
      throw std::runtime_error(pack.string() + " is damaged");
    std::ofstream(folder / name, std::ios::binary) << all.substr(end + 1, size);
    at = end + 1 + size;
  }
}

const support::Words& storedCompiler() {
  if (!results()) results() = std::make_unique<const StoredResults>();
  static const support::Words words = results()->environment();
  return words;
}

}  // namespace tilestep::tests
