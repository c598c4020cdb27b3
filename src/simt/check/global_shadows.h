// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "simt/check/pending_stores.h"
#include "simt/check/state.h"
#include "simt/check/synchronisation.h"
#include "simt/setup.h"

namespace tilestep::simt {

/// Remembers the accesses of a launch to global memory. Shared by all workers.
class GlobalShadows {
 public:
  explicit GlobalShadows(const Setup& setup);
  [[nodiscard]] const Shadow* shadows() const { return shadows_.data(); }
  [[nodiscard]] SyncGraph& sync() { return sync_; }
  [[nodiscard]] PendingStores& pending() { return pending_; }
  /// Held while an atomic operation that returns the old value leaves its mark and executes.
  [[nodiscard]] std::mutex& answering() { return answering_; }
  /// Forgets the accesses to `bytes` bytes at the virtual address, because they are allocated
  /// again.
  void forget(uint64_t address, uint64_t bytes);

 private:
  struct Free {
    void operator()(Mark* marks) const;
  };
  Mark* allocate(uint64_t count);
  const Setup& setup_;
  SyncGraph sync_;
  PendingStores pending_;
  std::mutex answering_;
  std::vector<Shadow> shadows_;
  std::vector<std::unique_ptr<Mark[], Free>> memory_;
};

}  // namespace tilestep::simt
