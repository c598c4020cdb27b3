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

/// A piece of the device's memory, or of memory that host and device share.
struct Allocation {
  uint64_t address = 0;
  uint64_t bytes = 0;
  guest::MemoryKind kind = guest::MemoryKind::device;
  std::string name;     ///< For people: "d_A", a module's variable, or "the memory of line 12".
  std::string symbol;   ///< The module's variable that it is; else empty.
  uint32_t module = 0;  ///< Of a symbol.
  uint64_t where = 0;   ///< The call that asked for it.
  uint32_t line = 0;    ///< Of that call; 0: not known.
  uint8_t* host = nullptr;
  std::span<uint8_t> written;  ///< One byte a byte, 1 where it was ever written.
  UseMarks marks;
  uint64_t moment = 0;  ///< Of the call that asked for it.
  /// Set once it was freed: by which call. Its memory is gone then.
  std::optional<uint64_t> freed;
  uint32_t freedLine = 0;  ///< Of that call; 0: not known.
  bool isSet = false;      ///< A variable: something was copied or set there.
  bool isLinked = false;   ///< A variable: as simt::Buffer::isLinked.

  [[nodiscard]] bool holds(uint64_t at, uint64_t count) const {
    return at >= address && at - address <= bytes && count <= bytes - (at - address);
  }
};

/// All memory that a program asked for. Addresses are never given twice while others are left, and
/// pieces lie so far apart that leaving one does not reach another. Not thread-safe.
class Memory {
 public:
  explicit Memory(uint64_t mostBytes);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Null where no memory or no address is left. Shared memory comes with a descriptor for the
  /// guest to map, of so many bytes.
  struct Shared {
    Descriptor descriptor;
    uint64_t bytes = 0;
  };
  Allocation* allocate(uint64_t bytes, guest::MemoryKind kind, Shared* shared);
  /// A piece of a GPU's own memory, which lies where its driver put it; nothing is kept of it but
  /// that. Pieces that were freed there before are forgotten.
  Allocation& adopt(uint64_t address, uint64_t bytes, guest::MemoryKind kind);
  /// As if there had been no such allocation; false where there is none.
  bool forget(uint64_t address);
  /// The address must be that of a live allocation.
  void release(uint64_t address, uint64_t where);

  /// Whether the address is the device's: one of the span, or one of a piece of the GPU's.
  [[nodiscard]] bool isDevices(uint64_t address) const;
  /// The live allocation whose cells the address falls into, or the last that had them.
  [[nodiscard]] Allocation* at(uint64_t address);
  /// The live allocation that holds all these bytes; null where none does.
  [[nodiscard]] Allocation* holder(uint64_t address, uint64_t bytes);
  /// By address.
  [[nodiscard]] std::map<uint64_t, Allocation>& all() { return all_; }
  [[nodiscard]] const std::map<uint64_t, Allocation>& all() const { return all_; }
  [[nodiscard]] uint64_t used() const { return used_; }
  [[nodiscard]] uint64_t most() const { return most_; }

 private:
  struct Piece;
  std::map<uint64_t, Allocation> all_;                 ///< Freed ones too.
  std::map<uint64_t, std::unique_ptr<Piece>> pieces_;  ///< Of the live ones.
  uint64_t nextCell_ = 0;
  uint64_t used_ = 0, most_;
};

}  // namespace tilestep::program
