// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/process/child_process.h"
#include "program/place.h"

namespace tilestep::program {

/// Finds source lines of code addresses in the program's debugging information. One addr2line
/// process (from binutils) answers all queries. Without addr2line, no line is known. Not
/// thread-safe.
class Places {
 public:
  explicit Places(const std::filesystem::path& program);
  ~Places();
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  /// `where` is the return address of a call, relative to the program's load address; 0 if unknown.
  Place of(uint64_t where);
  /// How many different calls in the same line were looked up before this call.
  size_t numberInLine(uint64_t where);

 private:
  [[nodiscard]] std::string ask(uint64_t address);

  std::optional<ChildProcess> tool_;
  std::string unread_;
  std::map<uint64_t, Place> known_;
  std::map<std::pair<std::string, uint32_t>, std::vector<uint64_t>> inLine_;
};

/// The arguments of a call of `function` that begins in that line, as written. `number` is the
/// call's index in the line, from 0. Empty if the line has no such call.
[[nodiscard]] std::vector<std::string> argumentsOf(const Place& place, const std::string& function,
                                                   size_t number);

/// The first argument of such a call without casts and `&`: "d_A" of "cudaMalloc((void**)&d_A,
/// bytes)".
[[nodiscard]] std::string firstArgument(const Place& place, const std::string& function,
                                        size_t number);

}  // namespace tilestep::program
