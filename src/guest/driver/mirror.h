// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "guest/driver/driver.h"
#include "guest/link.h"

namespace tilestep::guest {

/// The memory of a program on a GPU whose launches are examined. The memory has the addresses that
/// the service would choose, so that the interpreter can use the same addresses. Its contents are
/// sent to the service before each launch. If that is impossible, no further launches are examined,
/// and look() returns the reason. Thread-safe.
class Mirror {
 public:
  /// For GPU `ordinal`.
  Mirror(const Driver& driver, Link& link, int ordinal, bool wanted);
  [[nodiscard]] Look look() const;

  /// Places a range of memory and records the call. False if it could not be placed, so the driver
  /// must choose its address.
  bool allocate(const void* where, const Allocate& wanted, Allocated& got);
  /// False if no such range was placed. All work must have ended.
  bool release(uint64_t address);
  /// Adds a module's variable, which has one address in the service and another in the driver.
  void addVariable(uint64_t services, uint64_t drivers, uint64_t bytes);

  /// False if the bytes begin in a range and extend beyond its end. The driver would accept them,
  /// because it allocates more than was requested.
  [[nodiscard]] bool holds(uint64_t address, uint64_t bytes) const;
  /// The service's address for a driver's address.
  [[nodiscard]] uint64_t servicesAddress(uint64_t address) const;
  /// Replaces driver addresses of variables in a kernel's parameters by the service's addresses.
  void translate(std::vector<char>& parameters) const;
  /// Waits for all work of these streams and sends the contents of the memory.
  void capture(std::span<void* const> streams);

 private:
  struct Piece {
    uint64_t bytes = 0, mapped = 0, reserved = 0;
    uint64_t handle = 0;   ///< The driver's handle of the memory; 0 for host memory.
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
