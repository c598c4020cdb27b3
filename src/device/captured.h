// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/launch.h"
#include "base/result.h"

namespace tilestep::ptx {
struct Module;
}

/// One launch of a program as a value: all that the kernel can see.
namespace tilestep::device {

/// So many bytes of memory as they were before a launch; the last block of a range is shorter.
/// Launches share those that did not change between them. Null: all of them are 0.
using MemoryBlock = std::shared_ptr<const std::vector<std::byte>>;
constexpr uint64_t kMemoryBlockBytes = uint64_t{1} << 16;

/// Bytes [begin, end) of a range.
struct ByteSpan {
  uint64_t begin = 0, end = 0;
  bool operator==(const ByteSpan&) const = default;
};

/// An allocation of the program's, or a variable of the module.
struct MemoryRange {
  uint64_t address = 0;
  uint64_t bytes = 0;
  std::string name;    ///< For people: "d_A".
  std::string symbol;  ///< The module's variable that it is; else empty.
  uint32_t line = 0;   ///< Where the program asked for it; 0: not known.
  std::vector<MemoryBlock> contents;
  std::vector<ByteSpan> unset;          ///< What nothing had ever written, ascending.
  std::vector<ByteSpan> read, written;  ///< By the launch, ascending.

  [[nodiscard]] bool holds(uint64_t at) const { return at - address < bytes; }
};

struct CapturedLaunch {
  std::string program;   ///< The file of its author's.
  uint64_t number = 0;   ///< Among the program's launches, from 1.
  std::string kernel;    ///< As the author wrote it: "tile<16>".
  uint32_t line = 0;     ///< Of the launch; 0: not known.
  std::string compiler;  ///< "clang"
  std::string version;   ///< "14.0.6"
  std::string ptx;       ///< The module's text, with the compiler's declarations as comments.
  std::shared_ptr<const ptx::Module> module;  ///< The same, parsed.
  Launch launch;
  std::vector<uint8_t> parameters;  ///< The block of the kernel's parameters.
  std::vector<MemoryRange> ranges;  ///< All memory of the device, by address.
  bool hasContents = true;          ///< False: they would have taken too much memory.
  bool knowsAccesses = true;        ///< False: what was read and written is not known.

  /// Bytes of all ranges.
  [[nodiscard]] uint64_t memoryBytes() const;
};

/// Writes bytes [first, first + bytes) of a range to `out`.
void copyContents(const MemoryRange& range, uint64_t first, uint64_t bytes, std::byte* out);

/// Whether variables of the module hold addresses of its functions or variables, or its code calls
/// functions by their addresses: they are others on each engine.
[[nodiscard]] bool holdsAddresses(const ptx::Module& module);

/// Whether the launch can be run: each range has its contents, and the parameters fit the module's
/// kernel. For what came from another process.
[[nodiscard]] Status checkCaptured(const CapturedLaunch& launch);

}  // namespace tilestep::device
