// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "guest/protocol.h"
#include "program/history/use_marks.h"

namespace tilestep::program {

/// A range of the device's memory, or of memory shared by host and device.
struct Allocation {
  uint64_t address = 0;
  uint64_t bytes = 0;
  guest::MemoryKind kind = guest::MemoryKind::device;
  std::string name;     ///< For display: "d_A", a module's variable, or "the memory of line 12".
  std::string symbol;   ///< The module's variable in this memory; otherwise empty.
  uint32_t module = 0;  ///< The module of the symbol.
  uint64_t where = 0;   ///< The call that allocated it.
  uint32_t line = 0;    ///< The line of that call; 0 if unknown.
  uint8_t* host = nullptr;
  std::span<uint8_t> written;  ///< One mark per byte: 1 if the byte was ever written.
  UseMarks marks;
  uint64_t moment = 0;  ///< When it was allocated, in the numbering of calls and launches.
  /// The call that freed it. The memory of a freed allocation no longer exists.
  std::optional<uint64_t> freed;
  uint32_t freedLine = 0;  ///< The line of that call; 0 if unknown.
  bool isSet = false;      ///< For a variable, whether something was copied to it or set in it.
  bool isLinked = false;   ///< For a variable, as simt::Buffer::isLinked.

  [[nodiscard]] bool holds(uint64_t at, uint64_t count) const {
    return at >= address && at - address <= bytes && count <= bytes - (at - address);
  }
};

/// All memory that a program allocated. Addresses are not reused while unused ones remain. Ranges
/// are so far apart that an access past the end of one does not reach another. Not thread-safe.
class Memory {
 public:
  explicit Memory(uint64_t mostBytes);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Null if no memory or no address is left. For shared memory, `shared` gets a descriptor and the
  /// byte count that the guest maps.
  struct Shared {
    Descriptor descriptor;
    uint64_t bytes = 0;
  };
  Allocation* allocate(uint64_t bytes, guest::MemoryKind kind, Shared* shared);
  /// Adds a range of a GPU's own memory, at the address that its driver chose. Forgets freed ranges
  /// at the same addresses.
  Allocation& adopt(uint64_t address, uint64_t bytes, guest::MemoryKind kind);
  /// Undoes the allocation. False if there is no such allocation.
  bool forget(uint64_t address);
  /// The address must be that of a live allocation.
  void release(uint64_t address, uint64_t where);

  /// Whether the address is in the device's span, or in a range of the GPU's memory.
  [[nodiscard]] bool isDevices(uint64_t address) const;
  /// The live allocation whose cells contain the address, or the last freed one.
  [[nodiscard]] Allocation* at(uint64_t address);
  /// The live allocation that contains all these bytes; null if there is none.
  [[nodiscard]] Allocation* holder(uint64_t address, uint64_t bytes);
  /// All allocations by address, including freed ones.
  [[nodiscard]] std::map<uint64_t, Allocation>& all() { return all_; }
  [[nodiscard]] const std::map<uint64_t, Allocation>& all() const { return all_; }
  [[nodiscard]] uint64_t used() const { return used_; }
  [[nodiscard]] uint64_t most() const { return most_; }

 private:
  struct Piece;
  std::map<uint64_t, Allocation> all_;
  std::map<uint64_t, std::unique_ptr<Piece>> pieces_;  ///< Only of live allocations.
  uint64_t nextCell_ = 0;
  uint64_t used_ = 0, most_;
};

}  // namespace tilestep::program
