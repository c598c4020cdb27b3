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

/// One launch of a program as a value: everything that its kernel can access.
namespace tilestep::device {

/// kMemoryBlockBytes bytes of memory before a launch, fewer at the end of a range. Launches share
/// blocks that did not change between them. Null if all bytes are 0.
using MemoryBlock = std::shared_ptr<const std::vector<std::byte>>;
constexpr uint64_t kMemoryBlockBytes = uint64_t{1} << 16;

/// Bytes [begin, end) of a range.
struct ByteSpan {
  uint64_t begin = 0, end = 0;
  bool operator==(const ByteSpan&) const = default;
};

/// An allocation of the program, or a variable of the module.
struct MemoryRange {
  uint64_t address = 0;
  uint64_t bytes = 0;
  std::string name;    ///< Shown to users: "d_A".
  std::string symbol;  ///< The module's variable in this range; empty for an allocation.
  uint32_t line = 0;   ///< The line of the allocation; 0 if unknown.
  std::vector<MemoryBlock> contents;
  std::vector<ByteSpan> unset;          ///< Bytes that were never written, ascending.
  std::vector<ByteSpan> read, written;  ///< By the launch; ascending.

  [[nodiscard]] bool holds(uint64_t at) const { return at - address < bytes; }
};

struct CapturedLaunch {
  std::string program;   ///< The source file.
  uint64_t number = 0;   ///< The launch's number in the program, from 1.
  std::string kernel;    ///< As in the source: "tile<16>".
  uint32_t line = 0;     ///< The line of the launch; 0 if unknown.
  std::string compiler;  ///< "clang"
  std::string version;   ///< "14.0.6"
  std::string ptx;       ///< The module's text, with the compiler's declarations as comments.
  std::shared_ptr<const ptx::Module> module;  ///< `ptx`, parsed.
  Launch launch;
  std::vector<uint8_t> parameters;  ///< The kernel's parameter block.
  std::vector<MemoryRange> ranges;  ///< All device memory, by address.
  bool hasContents = true;  ///< False if they were omitted because they would use too much memory.
  bool knowsAccesses = true;  ///< False if the reads and writes are unknown.

  /// The size of all ranges.
  [[nodiscard]] uint64_t memoryBytes() const;
};

/// Copies bytes [first, first + bytes) of a range to `out`.
void copyContents(const MemoryRange& range, uint64_t first, uint64_t bytes, std::byte* out);

/// Whether the module's variables hold addresses of its functions or variables, or its code calls
/// functions by address. Such addresses differ between engines.
[[nodiscard]] bool holdsAddresses(const ptx::Module& module);

/// Checks that each range has its contents and that the parameters fit the module's kernel.
/// Validates data from another process.
[[nodiscard]] Status checkCaptured(const CapturedLaunch& launch);

}  // namespace tilestep::device
