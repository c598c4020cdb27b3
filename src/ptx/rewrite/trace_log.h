// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "ptx/ir.h"

/// The log that each thread of a traced block writes on a GPU: the values of its memory accesses
/// and accumulators, barriers, and the outcome of every conditional branch and exit, in its own
/// program order. From the branch outcomes the host replays the program and orders the threads'
/// records as warp events, independently of which lanes the machine ran together.
namespace tilestep::ptx {

enum class LogContent : uint8_t {
  events,     ///< Everything that a trace shows.
  addresses,  ///< The input of counting: paths and accesses, without values.
};

/// The contribution of an instruction to the log.
struct LogSite {
  enum class Kind : uint8_t {
    none,
    load,
    store,
    atomic,      ///< Logs only its address.
    accumulate,  ///< Logs the value after the instruction.
    barrier,     ///< Logs its number and the number of threads it waits for, 0 for all.
    decision,    ///< A guarded branch or exit: logs 1 if the guard holds, else 0. For counting,
                 ///< guarded barriers and f32 operations, too.
  };
  Kind kind = Kind::none;
  Space space = Space::none;  ///< For an access: global, shared or generic.
  /// The number of logged values: 1; 2, 4 or 8 for vectors; 0 if there are none. For counting, a
  /// generic access logs one: 1 for shared memory, 2 for global, 0 for other memory.
  uint8_t elements = 0;
  uint8_t elementBytes = 0;  ///< In memory; for an accumulate, in the register: 4 or 8.
  uint8_t elementWords = 1;  ///< 32-bit words that one element takes in the log.
  bool isSigned16 = false;   ///< An accumulate whose 16 bits are a signed number.
  uint32_t record = kNone;   ///< Index in TraceLog::records.
  uint32_t at = 0;           ///< Its first word in that record.
  /// For an access: the index of its base address, two words (low, high).
  uint32_t baseAt = 0;
  int64_t offset = 0;       ///< Bytes added to that base address.
  bool writesBase = false;  ///< This site logs the base.

  [[nodiscard]] bool isAccess() const {
    return kind == Kind::load || kind == Kind::store || kind == Kind::atomic;
  }
  [[nodiscard]] uint32_t words() const { return uint32_t{elements} * elementWords; }
  /// Bytes of an access or a value.
  [[nodiscard]] uint32_t width() const {
    return kind == Kind::atomic ? elementBytes : uint32_t{elements} * elementBytes;
  }
};

/// Consecutive sites of a thread, written as one record: logMark(first), then their words. A
/// guarded site other than a decision has its own record, written only by threads whose guard
/// holds.
struct LogRecord {
  uint32_t first = 0;  ///< Instruction.
  uint32_t last = 0;
  uint32_t words = 1;
};

[[nodiscard]] constexpr uint32_t logMark(uint32_t instruction) {
  return 0x5a000000U | instruction;
}
constexpr uint32_t kMostLogInstructions = 1U << 24;

/// The log in GPU memory: addresses, the end of each thread's records, then the records. A warp's
/// records are contiguous, `room` words per thread, interleaved word by word over the 32 lanes. A
/// record that does not fit is omitted together with all subsequent ones.
struct TraceLog {
  static constexpr uint32_t kLanes = 32;
  static constexpr uint64_t kStride = uint64_t{kLanes} * 4;  ///< Bytes from word to word.

  LogContent content = LogContent::events;
  std::vector<LogSite> sites;  ///< By instruction of the entry.
  std::vector<LogRecord> records;
  std::vector<std::string> shared;   ///< Shared variables that the entry names, and
  std::vector<std::string> globals;  ///< the module's global ones: their addresses in the log are
                                     ///< numbers 1 and on. Number 0 is the generic address at
                                     ///< which shared memory starts.
  uint32_t threads = 0;

  [[nodiscard]] uint64_t addressCount() const { return 1 + shared.size() + globals.size(); }
  [[nodiscard]] uint32_t warps() const { return (threads + kLanes - 1) / kLanes; }
  /// Byte offsets.
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

/// The log of a launch of `entry` in blocks of `threads`. An Error names what cannot be logged: an
/// instruction that accesses memory in another way, or a value that is not in a register of 2, 4 or
/// 8 bytes.
Result<TraceLog> traceLogOf(const Module& module, const Function& entry, uint32_t threads,
                            LogContent content = LogContent::events);

}  // namespace tilestep::ptx
