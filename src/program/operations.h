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

/// Determines what the launches of a program compute, and whether races change the results.
/// Examines only the first launches, because this takes time in proportion to the memory. Not
/// thread-safe.
class Operations {
 public:
  /// `meant` is the intended operation of all launches with suitable shapes; empty if unspecified.
  explicit Operations(std::string meant) : meant_(std::move(meant)) {}

  /// Whether a further launch with this memory should be examined.
  [[nodiscard]] bool wants(const Memory& memory) const;
  /// Call before a launch.
  std::shared_ptr<device::CapturedLaunch> begin(const Kernel& kernel,
                                                std::span<const uint8_t> parameters, Memory& memory,
                                                const LaunchRecord& record, uint64_t number);
  /// The known row lengths of the launch's matrices.
  [[nodiscard]] static std::map<uint64_t, Rows> rowsOf(const device::CapturedLaunch& launch);
  /// Call after the launch, with its accesses. Fills the record's operation; returns findings.
  std::vector<Finding> end(const device::CapturedLaunch& launch, Memory& memory,
                           LaunchRecord& record);
  /// Call after a launch with races. Searches for an order with a different result, once for each
  /// kernel and for a limited time in total. Fills the record's orders.
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
  /// The operation that a kernel's earlier launches seemed to compute.
  std::map<std::string, std::optional<lab::Operation>> known_;
  uint64_t launches_ = 0, bytes_ = 0;
  std::set<std::string> asked_;  ///< Kernels about which the user was asked a question.
  std::set<std::string> tried_;  ///< Kernels that tryOrders examined.
  double triedSeconds_ = 0, comparedSeconds_ = 0;
};

}  // namespace tilestep::program
