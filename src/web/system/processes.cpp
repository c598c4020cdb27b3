// SPDX-License-Identifier: Apache-2.0
// base/process, base/descriptor.h, base/private_folder.h and base/toolkit.h in a browser, which has
// no other programs, no locks and no limits.
#include <utility>

#include "base/descriptor.h"
#include "base/private_folder.h"
#include "base/process/child_process.h"
#include "base/process/data_limit.h"
#include "base/process/file_lock.h"
#include "base/process/memory_limit.h"
#include "base/process/process_facts.h"
#include "base/toolkit.h"

namespace tilestep {

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& /*words*/,
                                         const ChildOptions& /*options*/) {
  return requestError("a page in a browser cannot start programs; use Tilestep on a computer");
}
ChildProcess::ChildProcess(ChildProcess&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
ChildProcess::~ChildProcess() = default;
void ChildProcess::signalGroup(int /*number*/) const {}
bool ChildProcess::endsWithin(std::chrono::milliseconds /*patience*/) const {
  return true;
}
int ChildProcess::reap() {
  return 0;
}
int ChildProcess::kill() {
  return 0;
}
std::string describeEnd(int /*waitStatus*/) {
  return {};
}
int exitStatusOf(int /*waitStatus*/) {
  return 0;
}

bool writeAll(int /*descriptor*/, std::string_view /*bytes*/) {
  return false;
}
void doNotBlock(const Descriptor& /*descriptor*/) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept = default;
FileLock::~FileLock() = default;
Result<FileLock> FileLock::take(const std::filesystem::path& /*file*/,
                                std::chrono::milliseconds /*patience*/) {
  return FileLock();
}

PrivateFolder::PrivateFolder() : trouble_("A page in a browser has no temporary folder.") {}
PrivateFolder::~PrivateFolder() = default;

DataLimit::DataLimit(uint64_t /*moreBytes*/) {}
DataLimit::~DataLimit() = default;

MemoryLimit memoryLimit(const std::filesystem::path& /*root*/) {
  return {uint64_t{2} << 30, "a page in a browser may use"};
}

Result<bool> isToolkitHidden() {
  return true;
}

}  // namespace tilestep
