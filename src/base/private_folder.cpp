// SPDX-License-Identifier: Apache-2.0
#include "base/private_folder.h"

#include <cstdlib>

namespace tilestep {
namespace fs = std::filesystem;

PrivateFolder::PrivateFolder() {
  std::error_code failure;
  const fs::path temporary = fs::temp_directory_path(failure);
  if (failure) return;
  std::string pattern = (temporary / "tilestep-XXXXXX").string();
  if (::mkdtemp(pattern.data())) path_ = pattern;  // mkdtemp makes it with mode 0700.
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace tilestep
