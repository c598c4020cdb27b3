// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "ptx/ir.h"

/// The log that each thread of a traced block writes on a GPU, in program order: the values of its
/// memory accesses and accumulators, its barriers, and the outcome of every conditional branch and
/// exit. With these outcomes, the host replays the program and orders the threads' records as warp
/// events, regardless of which lanes the GPU ran together.
namespace tilestep::ptx {

enum class LogContent : uint8_t {
  events,     ///< For tracing: paths, accesses and values.
  addresses,  ///< For counting: paths and accesses, without values.
};

/// The contribution of an instruction to the log.
struct LogSite {
  enum class Kind : uint8_t {
    none,
    load,
    store,
    atomic,      ///< Logs only its address.
    accumulate,  ///< Logs the value after the instruction.
    barrier,     ///< Logs the barrier's index and its number of threads; 0 means all threads.
    decision,    ///< A guarded branch or exit: logs whether the guard holds (1 or 0).
                 ///< For counting, also a guarded barrier or f32 operation.
  };
  Kind kind = Kind::none;
  Space space = Space::none;  ///< Of an access: global, shared or generic.
  /// The number of logged values: 1, or 2, 4 or 8 for vectors, or 0 if there are none. For
  /// counting, a generic access logs one value: 1 for shared, 2 for global, 0 for other memory.
  uint8_t elements = 0;
  uint8_t elementBytes = 0;  ///< In memory; of an accumulator, in its register (4 or 8).
  uint8_t elementWords = 1;  ///< 32-bit words per element in the log.
  bool isSigned16 = false;   ///< For accumulate: the value is a signed 16-bit number.
  uint32_t record = kNone;   ///< Index in TraceLog::records.
  uint32_t at = 0;           ///< The site's first word in that record.
  /// Of an access: the index of its base address in the record. A base has two words (low, high).
  uint32_t baseAt = 0;
  int64_t offset = 0;       ///< Bytes added to the base.
  bool writesBase = false;  ///< This site logs the base.

  [[nodiscard]] bool isAccess() const {
    return kind == Kind::load || kind == Kind::store || kind == Kind::atomic;
  }
  [[nodiscard]] uint32_t words() const { return uint32_t{elements} * elementWords; }
  /// The size in bytes of the access or value.
  [[nodiscard]] uint32_t width() const {
    return kind == Kind::atomic ? elementBytes : uint32_t{elements} * elementBytes;
  }
};

/// Consecutive sites that a thread logs together: logMark(first), then the words of the sites. A
/// guarded site that is not a decision has its own record, only for threads whose guard holds.
struct LogRecord {
  uint32_t first = 0;  ///< Index of the first instruction.
  uint32_t last = 0;
  uint32_t words = 1;
};

[[nodiscard]] constexpr uint32_t logMark(uint32_t instruction) {
  return 0x5a000000U | instruction;
}
constexpr uint32_t kMostLogInstructions = 1U << 24;

/// The layout of the log in GPU memory: addresses of variables, the end of each thread's records,
/// then the records. A warp's records are contiguous, with `room` words per thread, interleaved
/// word by word over the 32 lanes. A record that does not fit is omitted together with all
/// subsequent records.
struct TraceLog {
  static constexpr uint32_t kLanes = 32;
  static constexpr uint64_t kStride = uint64_t{kLanes} * 4;  ///< Bytes between a lane's words.

  LogContent content = LogContent::events;
  std::vector<LogSite> sites;  ///< For each instruction of the entry.
  std::vector<LogRecord> records;
  // Index 0 of the addresses is the generic address of the start of shared memory. The addresses of
  // `shared` and then of `globals` follow.
  std::vector<std::string> shared;   ///< Shared variables that the entry uses.
  std::vector<std::string> globals;  ///< The module's global variables.
  uint32_t threads = 0;

  [[nodiscard]] uint64_t addressCount() const { return 1 + shared.size() + globals.size(); }
  [[nodiscard]] uint32_t warps() const { return (threads + kLanes - 1) / kLanes; }
  /// Byte offsets in the log: of the ends, of the records, and of a thread's first word.
  [[nodiscard]] uint64_t endsAt() const { return addressCount() * 8; }
  [[nodiscard]] uint64_t wordsAt() const {
    const uint64_t end = endsAt() + uint64_t{threads} * 8;
    return (end + kStride - 1) / kStride * kStride;
  }
  [[nodiscard]] uint64_t startOf(uint32_t thread, uint32_t room) const {
    return wordsAt() + uint64_t{thread / kLanes} * room * kStride + thread % kLanes * 4;
  }
  [[nodiscard]] uint64_t bytes(uint32_t room) const {
    return wordsAt() + uint64_t{warps()} * room * kStride;
  }
};

/// The log of a launch of `entry` in blocks of `threads` threads. Fails, with the reason, if
/// something cannot be logged, such as an unsupported instruction that accesses memory, or a value
/// that is not in a register of 2, 4 or 8 bytes.
Result<TraceLog> traceLogOf(const Module& module, const Function& entry, uint32_t threads,
                            LogContent content = LogContent::events);

}  // namespace tilestep::ptx
