// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/user_files.h"

#include <system_error>

#include "base/files.h"
#include "base/sentence.h"

namespace tilestep::ui {

namespace fs = std::filesystem;

std::string savedPlace(const fs::path& path) {
  std::error_code failed;
  const fs::path start = fs::current_path(failed);
  const fs::path inside = path.is_relative() ? path : path.lexically_relative(start);
  const bool outside = failed || inside.empty() || *inside.begin() == "..";
  return outside ? path.string() : inside.string() + ", in the folder that Tilestep was started in";
}

Status writeSaved(const fs::path& path, std::string_view bytes) {
  Status written = writeFileAtomically(path, bytes);
  if (written) return written;
  Error error = written.error();
  error.message = asSentence(error.message) + " Name a writable folder with enough free space";
  return error;
}

}  // namespace tilestep::ui
