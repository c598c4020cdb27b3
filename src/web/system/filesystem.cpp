// SPDX-License-Identifier: Apache-2.0
// The functions of the stand-in for <filesystem>.
#include <filesystem>

#include "web/system/memory_files.h"

namespace std::filesystem {

namespace {

using tilestep::web::memoryFiles;

error_code noSuchFile() {
  return make_error_code(errc::no_such_file_or_directory);
}

}  // namespace

file_status status(const path& file) {
  if (memoryFiles().find(file) != nullptr) return file_status(file_type::regular);
  return file_status(memoryFiles().isFolder(file) ? file_type::directory : file_type::not_found);
}

file_status status(const path& file, error_code& error) noexcept {
  const file_status found = status(file);
  error = exists(found) ? error_code() : noSuchFile();
  return found;
}

uintmax_t file_size(const path& file, error_code& error) noexcept {
  const string* content = memoryFiles().find(file);
  error = content != nullptr ? error_code() : noSuchFile();
  return content != nullptr ? content->size() : static_cast<uintmax_t>(-1);
}

file_time_type last_write_time(const path& file, error_code& error) noexcept {
  status(file, error);
  return {};
}

bool create_directories(const path& folder, error_code& error) {
  error.clear();
  if (memoryFiles().isFolder(folder)) return false;
  memoryFiles().makeFolder(folder);
  return true;
}

bool remove(const path& file, error_code& error) noexcept {
  error.clear();
  return memoryFiles().remove(file) > 0;
}

uintmax_t remove_all(const path& folder, error_code& error) {
  error.clear();
  return memoryFiles().remove(folder);
}

void rename(const path& from, const path& to, error_code& error) noexcept {
  const string* content = memoryFiles().find(from);
  error = content != nullptr ? error_code() : noSuchFile();
  if (content == nullptr) return;
  memoryFiles().put(to, *content);
  memoryFiles().remove(from);
}

bool equivalent(const path& one, const path& other, error_code& error) noexcept {
  error.clear();
  return exists(one) && absolute(one) == absolute(other);
}

path canonical(const path& file, error_code& error) {
  status(file, error);
  return absolute(file);
}

directory_iterator::directory_iterator(const path& folder, error_code& error) {
  error = memoryFiles().isFolder(folder) ? error_code() : noSuchFile();
  entries_ = make_shared<vector<directory_entry>>();
  for (path& entry : memoryFiles().entriesOf(folder)) entries_->emplace_back(std::move(entry));
}

}  // namespace std::filesystem
