// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/trace/thread_logs.h"

#include <string>

namespace tilestep::cuda {

Status checkLogs(const ptx::TraceLog& log, const ThreadLogs& logs) {
  const auto wrong = [](const char* what) {
    return workError(std::string("The GPU's log of the traced block is damaged: ") + what + ".");
  };
  if (logs.addresses.size() != log.addressCount()) return wrong("addresses are missing");
  if (logs.wanted.size() != log.threads) return wrong("threads are missing");
  if (logs.words.size() != log.warps()) return wrong("warps are missing");
  constexpr uint32_t kLanes = ptx::TraceLog::kLanes;
  for (uint32_t thread = 0; thread < log.threads; ++thread) {
    const uint64_t needed = std::min<uint64_t>(logs.wanted[thread], logs.room) * kLanes;
    if (logs.words[thread / kLanes].size() < needed) return wrong("records are missing");
  }
  return {};
}

}  // namespace tilestep::cuda
