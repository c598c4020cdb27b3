// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "guest/driver/driver.h"
#include "guest/link.h"

namespace tilestep::guest {

/// The memory of a program on a GPU whose launches are examined. It is at the addresses at which
/// the service would have it, so that the interpreter works at the same ones, and its contents are
/// sent there before each launch. If that is impossible, launches are not examined from then on,
/// and `look()` returns the reason. Any thread may call.
class Mirror {
 public:
  /// For GPU `ordinal`.
  Mirror(const Driver& driver, Link& link, int ordinal, bool wanted);
  [[nodiscard]] Look look() const;

  /// Places a range of memory and records the call. False: it was not placed, and the driver must
  /// choose its address.
  bool allocate(const void* where, const Allocate& wanted, Allocated& got);
  /// False: it is not such a range. All work must have ended.
  bool release(uint64_t address);
  /// A variable of a module, which has an address in the service and one in the driver.
  void addVariable(uint64_t services, uint64_t drivers, uint64_t bytes);

  /// False if the bytes begin in a range and extend beyond it: the driver has allocated more than
  /// was requested, and does not reject that itself.
  [[nodiscard]] bool holds(uint64_t address, uint64_t bytes) const;
  /// The service's address for it.
  [[nodiscard]] uint64_t servicesAddress(uint64_t address) const;
  /// Likewise for the values in a kernel's parameters that are addresses of variables.
  void translate(std::vector<char>& parameters) const;
  /// Waits for all work of these streams and sends the contents of the memory.
  void capture(std::span<void* const> streams);

 private:
  struct Piece {
    uint64_t bytes = 0, mapped = 0, reserved = 0;
    uint64_t handle = 0;   ///< Of the driver's memory; 0: it is host memory.
    uint64_t drivers = 0;  ///< The driver's address.
    bool isVariable = false;
  };
  [[nodiscard]] bool reserve(uint64_t address, uint64_t granularity, Piece& piece) const;
  [[nodiscard]] bool placeOnDevice(uint64_t address, Piece& piece) const;
  [[nodiscard]] bool placeOnHost(uint64_t address, Piece& piece) const;
  [[nodiscard]] bool isIdle(std::span<void* const> streams) const;
  bool send(uint64_t address, const Piece& piece) const;

  const Driver& driver_;
  Link& link_;
  const int ordinal_;
  mutable std::mutex mutex_;
  Look look_;
  std::map<uint64_t, Piece> pieces_;  ///< By the service's address.
  uint64_t captured_ = 0;
};

}  // namespace tilestep::guest
