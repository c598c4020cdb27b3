// SPDX-License-Identifier: Apache-2.0
#include "base/process/data_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace tilestep {
namespace {

/// The memory that RLIMIT_DATA counts: private, writable mappings.
std::optional<uint64_t> dataBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    uint64_t kilobytes = 0;
    if (word == "VmData:" && status >> kilobytes) return kilobytes * 1024;
  }
  return std::nullopt;
}

}  // namespace

DataLimit::DataLimit(uint64_t moreBytes) {
  const std::optional<uint64_t> now = dataBytes();
  rlimit limit{};
  if (!now || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  before_ = limit.rlim_cur;
  const uint64_t most = moreBytes > RLIM_INFINITY - *now - 1 ? RLIM_INFINITY - 1 : *now + moreBytes;
  limit.rlim_cur = std::min<rlim_t>(before_, most);
  holds_ = ::setrlimit(RLIMIT_DATA, &limit) == 0;
}

DataLimit::~DataLimit() {
  rlimit limit{};
  if (!holds_ || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = before_;
  ::setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace tilestep
