// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "program/summary.h"

namespace tilestep::program {
namespace {

using lab::ProgramFinding;

std::string withoutEnd(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Whether the races of a launch change its result.
std::string ordersText(const lab::OrderSearch& orders) {
  constexpr const char* kOther = "with its blocks and warps in another order";
  if (orders.found && !orders.found->fault.empty())
    return fmt::format("{} it ends with {}", kOther, orders.found->fault);
  if (orders.found)
    return fmt::format("its result depends on luck: {} is {:.9g} here, and {:.9g} {}",
                       orders.found->element, orders.found->expected, orders.found->got, kOther);
  return fmt::format(
      "{} other order{} of its blocks and warps gave the same result; on a GPU the result can "
      "still differ, because threads run at the same time and stores may become visible late",
      orders.tried, orders.tried == 1 ? "" : "s");
}

/// Collects the findings of one severity. Equal findings are combined; the first is the example.
class Found {
 public:
  void add(const Finding& finding, bool isFault) {
    ProgramFinding made;
    made.isFault = isFault;
    made.kind = finding.kind;
    made.file = finding.place.file;
    made.line = finding.place.line;
    made.message = withoutEnd(finding.message);
    const std::string key = textOf(made);
    addAs(key, std::move(made));
  }
  void addLaunch(const LaunchRecord& launch, uint64_t number) {
    for (const simt::Fault& each : launch.faults) addFault(launch, each, number);
    for (const simt::Hazard& each : launch.hazards) addRace(launch, each, number);
    if (!launch.orders || launch.orders->tried == 0) return;
    ProgramFinding made = of(launch.kernel, number);
    made.message = ordersText(*launch.orders);
    if (launch.orders->found) made.order = launch.orders->found->order;
    const std::string key = textOf(made);
    addAs(key, std::move(made));
  }
  /// Adds an entry for the omitted races.
  std::vector<ProgramFinding> take() {
    for (const auto& [kernel, races] : races_) {
      if (races.count <= kShown) continue;
      ProgramFinding made = of(kernel, races.launch);
      made.message = fmt::format("{} more pair{} of accesses race, in {}", races.count - kShown,
                                 races.count - kShown == 1 ? "" : "s",
                                 races.first == races.last
                                     ? fmt::format("line {}", races.first)
                                     : fmt::format("lines {} to {}", races.first, races.last));
      findings_.push_back(std::move(made));
    }
    return std::move(findings_);
  }

 private:
  struct Races {
    size_t count = 0;  ///< Pairs of lines.
    uint32_t first = UINT32_MAX, last = 0;
    uint64_t launch = 0;
  };
  static constexpr size_t kShown = 3;  ///< Races of a kernel that are shown.
  static constexpr size_t kHidden = ~size_t{0};

  static ProgramFinding of(const std::string& kernel, uint64_t launch) {
    ProgramFinding made;
    made.kernel = kernel;
    made.launch = launch;
    return made;
  }
  void addFault(const LaunchRecord& in, const simt::Fault& fault, uint64_t launch) {
    const std::string& kernel = in.kernel;
    ProgramFinding made = of(kernel, launch);
    made.file = in.kernelFile.empty() ? in.place.file : in.kernelFile;
    made.kind = fault.kind;
    made.line = fault.line;
    made.message = withoutEnd(fault.message);
    made.block = fault.block;
    made.thread = fault.thread;
    made.epoch = fault.epoch;
    addAs(fmt::format("{}\n{}\n{}", kernel, fault.kind, fault.line), std::move(made));
  }
  void addRace(const LaunchRecord& in, const simt::Hazard& hazard, uint64_t launch) {
    const std::string& kernel = in.kernel;
    const std::string key =
        fmt::format("{}\n{}\n{}\n{}", kernel, hazard.kind, hazard.first.line, hazard.second.line);
    ProgramFinding made = of(kernel, launch);
    made.file = in.kernelFile.empty() ? in.place.file : in.kernelFile;
    made.kind = hazard.kind;
    made.line = hazard.second.line;
    made.otherLine = hazard.first.line;
    made.message = withoutEnd(hazard.message);
    made.block = hazard.second.block;
    made.thread = hazard.second.thread;
    made.epoch = hazard.epoch;
    if (places_.contains(key)) return addAs(key, std::move(made));
    Races& races = races_[kernel];
    if (++races.count <= kShown) return addAs(key, std::move(made));
    if (races.launch == 0) races.launch = launch;
    races.first = std::min({races.first, hazard.first.line, hazard.second.line});
    races.last = std::max({races.last, hazard.first.line, hazard.second.line});
    places_[key] = kHidden;
  }
  void addAs(const std::string& key, ProgramFinding finding) {
    const auto [at, isNew] = places_.try_emplace(key, findings_.size());
    if (isNew)
      findings_.push_back(std::move(finding));
    else if (at->second != kHidden)
      ++findings_[at->second].times;
  }

  std::vector<ProgramFinding> findings_;
  std::map<std::string, size_t> places_;  ///< A finding's index, by its common content.
  std::map<std::string, Races> races_;    ///< By kernel.
};

}  // namespace

std::vector<ProgramFinding> findingsOf(const ProgramRun& run) {
  Found faults, remarks;
  for (const Finding& each : run.findings) {
    const bool isFault = each.severity == Severity::fault;
    (isFault ? faults : remarks).add(each, isFault);
  }
  for (size_t i = 0; i < run.launches.size(); ++i) faults.addLaunch(run.launches[i], i + 1);
  std::vector<ProgramFinding> all = faults.take();
  for (ProgramFinding& each : remarks.take()) all.push_back(std::move(each));
  return all;
}

}  // namespace tilestep::program
