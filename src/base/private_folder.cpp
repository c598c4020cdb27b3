// SPDX-License-Identifier: Apache-2.0
#include "base/private_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace tilestep {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "tilestep-";
constexpr std::string_view kPattern = "tilestep-XXXXXX";
constexpr time_t kUnusedSeconds = 600;

/// Open, and locked; not open where somebody else uses it.
Descriptor locked(const fs::path& folder) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (opened.isOpen() && ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) opened.close();
  return opened;
}

bool isLeftBehind(const Descriptor& folder) {
  struct stat about {};
  return ::fstat(folder.get(), &about) == 0 && about.st_uid == ::geteuid() &&
         about.st_mtime + kUnusedSeconds < std::time(nullptr);
}

}  // namespace

PrivateFolder::PrivateFolder() {
  std::error_code failure;
  const fs::path temporary = fs::temp_directory_path(failure);
  if (failure) {
    const char* variable = std::getenv("TMPDIR");
    trouble_ = std::string("The temporary folder ") + (variable != nullptr ? variable : "/tmp") +
               " is not there: set TMPDIR to a folder that can be written to.";
    return;
  }
  std::string pattern = (temporary / kPattern).string();
  if (::mkdtemp(pattern.data()) == nullptr) {  // mkdtemp makes it with mode 0700.
    trouble_ = "No folder can be made in " + temporary.string() + " (" + std::strerror(errno) +
               "): set TMPDIR to a folder that can be written to.";
    return;
  }
  path_ = pattern;
  lock_ = locked(path_);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void sweepPrivateFolders() {
  std::error_code failure, ignored;
  const fs::path temporary = fs::temp_directory_path(failure);
  if (failure) return;
  for (fs::directory_iterator at(temporary, failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(kPrefix) || name.size() != kPattern.size()) continue;
    if (const Descriptor folder = locked(at->path()); folder.isOpen() && isLeftBehind(folder))
      fs::remove_all(at->path(), ignored);
  }
}

}  // namespace tilestep
