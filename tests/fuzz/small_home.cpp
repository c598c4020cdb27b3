// SPDX-License-Identifier: Apache-2.0
#include "fuzz/small_home.h"

#include <stdlib.h>

#include <filesystem>

#include "support/source_root.h"

namespace tilestep::fuzz {
namespace {

namespace fs = std::filesystem;

class Home {
 public:
  Home() {
    std::string name = (fs::temp_directory_path() / "tilestep-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) return;
    path = name;
    fs::create_directories(fs::path(path) / "kernels");
    for (const char* kernel : {"matmul_tiled.cu", "matmul_naive.cu"})
      fs::copy_file(fs::path(support::sourceRoot()) / "kernels" / kernel,
                    fs::path(path) / "kernels" / kernel);
  }
  ~Home() {
    std::error_code ignored;
    if (!path.empty()) fs::remove_all(path, ignored);
  }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;

  std::string path;
};

}  // namespace

const std::string& smallHome() {
  static const Home kHome;
  return kHome.path;
}

}  // namespace tilestep::fuzz
