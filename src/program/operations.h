// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "lab/launch/operands.h"
#include "program/capture.h"
#include "program/launcher.h"
#include "program/memory.h"
#include "program/record.h"

namespace tilestep::program {

/// Looks at what the launches of a program compute, and whether races change it. Since that takes
/// as much time as its memory is long, only the first launches are looked at. Not thread-safe.
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
  /// The known rows of its matrices.
  [[nodiscard]] static std::map<uint64_t, Rows> rowsOf(const device::CapturedLaunch& launch);
  /// After it, with its accesses: fills the record's operation. Returns what was found, if
  /// anything.
  std::vector<Finding> end(const device::CapturedLaunch& launch, Memory& memory,
                           LaunchRecord& record);
  /// After a launch with races: looks for an order in which it leaves something else, once for each
  /// kernel and for a bounded time in all. Fills the record's orders.
  void tryOrders(const device::CapturedLaunch& launch, Memory& memory, const LaunchRules& rules,
                 const std::function<bool()>& cancelled, LaunchRecord& record);

 private:
  struct Looked {
    lab::InferredLaunch inferred;
    lab::LaunchValues values;
  };
  std::vector<Finding> compare(const device::CapturedLaunch& launch, Memory& memory,
                               LaunchRecord& record);
  static Looked look(const device::CapturedLaunch& launch, Memory& memory);

  std::string meant_;
  Capture capture_;
  /// By kernel: what its earlier launches seemed to compute.
  std::map<std::string, std::optional<lab::Operation>> known_;
  uint64_t launches_ = 0, bytes_ = 0;
  std::set<std::string> asked_;  ///< Kernels of which a question was asked.
  std::set<std::string> tried_;  ///< Kernels, by tryOrders.
  double triedSeconds_ = 0, comparedSeconds_ = 0;
};

}  // namespace tilestep::program
