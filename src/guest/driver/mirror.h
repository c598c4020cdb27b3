// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "guest/driver/driver.h"
#include "guest/link.h"

namespace tilestep::guest {

/// The memory of a program on a GPU whose launches are looked at. It lies where the service would
/// have it, so that the interpreter works at the same addresses, and what it holds goes there
/// before each launch. Where that cannot be, launches are not looked at from then on, and `look()`
/// says why. Any thread may call.
class Mirror {
 public:
  /// Of GPU `ordinal`.
  Mirror(const Driver& driver, Link& link, int ordinal, bool wanted);
  [[nodiscard]] Look look() const;

  /// Places a piece of memory and records the call. False: it is not placed, and the driver is to
  /// give it an address of its own.
  bool allocate(const void* where, const Allocate& wanted, Allocated& got);
  /// False: it is no such piece. All work must be done.
  bool release(uint64_t address);
  /// A variable of a module, which has an address of the service's and one of the driver's.
  void addVariable(uint64_t services, uint64_t drivers, uint64_t bytes);

  /// False where the bytes begin in a piece and leave it: the driver has given it more than was
  /// asked for, and does not refuse that itself.
  [[nodiscard]] bool holds(uint64_t address, uint64_t bytes) const;
  /// The service's address for it.
  [[nodiscard]] uint64_t servicesAddress(uint64_t address) const;
  /// The same for what are addresses of variables in a kernel's parameters.
  void translate(std::vector<char>& parameters) const;
  /// Waits for all work of these streams and sends what the memory holds.
  void capture(std::span<void* const> streams);

 private:
  struct Piece {
    uint64_t bytes = 0, mapped = 0, reserved = 0;
    uint64_t handle = 0;   ///< Of the driver's memory; 0: it is the host's.
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
