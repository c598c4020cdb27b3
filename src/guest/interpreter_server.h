// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>

#include "guest/guards.h"
#include "guest/link.h"

namespace tilestep::guest {

/// Sends work to Tilestep's interpreter, at the other end of the socket. Device addresses have
/// their own address range, in which the program can access only memory shared by host and device.
class InterpreterServer : public Server {
 public:
  InterpreterServer(Link& link, const DeviceFacts& device);
  [[nodiscard]] const DeviceFacts& device() const override { return device_; }
  int ask(Call call, const void* where, std::span<const iovec> request, Answer* answer) override;

 private:
  int allocate(const void* where, std::span<const iovec> request, Answer& answer);
  int release(const void* where, std::span<const iovec> request);
  int copy(const void* where, Copy copy);
  bool map(uint64_t address, uint64_t bytes, int descriptor);
  /// Later host accesses to this memory are faults again.
  void unmap(uint64_t address);
  /// Guards shared memory that running work may use: the memory to which a launch's parameters
  /// point, or one end of a copy.
  void guardParameters(std::span<const iovec> request);
  void guardPiece(uint64_t address, uint64_t bytes, bool mayRead);
  int touched(const void* where, std::span<const iovec> request);

  Link& link_;
  DeviceFacts device_;
  std::mutex mutex_;
  std::map<uint64_t, uint64_t> shared_;  ///< The number of mapped bytes, by address.
  Guards guards_;
};

}  // namespace tilestep::guest
