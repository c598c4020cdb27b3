// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "program/capture.h"
#include "program/memory.h"
#include "program/record.h"

namespace tilestep::program {

/// Looks at what the launches of a program compute. Since that takes as much time as its memory is
/// long, only the first launches are looked at. Not thread-safe.
class Operations {
 public:
  /// `meant`: what all launches with the shapes for it are meant to compute; empty: nobody said it.
  explicit Operations(std::string meant) : meant_(std::move(meant)) {}

  /// Whether one more launch with this memory is looked at.
  [[nodiscard]] bool wants(const Memory& memory) const;
  /// Before a launch.
  std::shared_ptr<device::CapturedLaunch> begin(const Kernel& kernel,
                                                std::span<const uint8_t> parameters, Memory& memory,
                                                const LaunchRecord& record, uint64_t number);
  /// After it, with its accesses: fills the record's operation. Returns what was found, if
  /// anything.
  std::vector<Finding> end(const device::CapturedLaunch& launch, Memory& memory,
                           LaunchRecord& record);

 private:
  std::string meant_;
  Capture capture_;
  /// By kernel: what its earlier launches seemed to compute.
  std::map<std::string, std::optional<lab::Operation>> known_;
  uint64_t launches_ = 0, bytes_ = 0;
};

}  // namespace tilestep::program
