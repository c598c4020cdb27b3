// SPDX-License-Identifier: Apache-2.0
#include "grade/trouble_log.h"

#include <algorithm>
#include <string_view>

#include "lab/judge/fault_kinds.h"

namespace tilestep::grade {
namespace {

constexpr const char* kBounds = "bounds";
constexpr const char* kGlobalRace = "race-global";

std::string kindOf(const device::Hazard& hazard) {
  if (hazard.space != "shared") return kGlobalRace;
  if (hazard.first.line > 0 && hazard.first.line == hazard.second.line) return "race-one-line";
  if (hazard.kind == "read-after-write") return "race-store-load";
  if (hazard.kind == "write-after-read") return "race-load-store";
  return "race-store-store";
}

/// Empty if this is not a fault of the kernel.
std::string kindOf(const device::Fault& fault, bool isRight) {
  if (lab::faultKind(fault.kind) == nullptr) return {};
  // Reading another row's value is harmless if the value is not used.
  if (fault.kind == "outside-row") return isRight ? "" : kBounds;
  if (fault.kind == "out-of-bounds") return kBounds;
  if (fault.kind == "timeout" || fault.kind == "instruction-limit") return "endless";
  return troubleWords(fault.kind) == nullptr ? "other" : fault.kind;
}

/// Whether `isIt` holds only for launches that are not `isWhole`, and some launch is both `isWhole`
/// and `isFine`.
template <class Launches, class IsIt, class IsWhole, class IsFine>
bool isOnlyOutside(const Launches& launches, const IsIt& isIt, const IsWhole& isWhole,
                   const IsFine& isFine) {
  bool isSeen = false;
  for (const auto& launch : launches) {
    if (isWhole(launch) && isIt(launch)) return false;
    isSeen = isSeen || (isWhole(launch) && isFine(launch));
  }
  return isSeen;
}

}  // namespace

void TroubleLog::add(const LaunchShape& shape, const lab::RunResult& result) {
  Launch launch;
  launch.shape = shape;
  launch.right = result.check && result.check->ok;
  launch.ended = std::ranges::none_of(result.faults, device::endsLaunch);
  const bool races = result.hazards && !result.hazards->empty();
  for (const device::Fault& fault : result.faults) {
    const std::string kind = kindOf(fault, launch.right);
    if (kind.empty() || (races && kind == "uninitialised-read")) continue;
    launch.kinds.insert(kind);
  }
  // A store beyond the end of its row races with the thread of the next row's element.
  const bool strays = launch.kinds.contains(kBounds);
  if (races)
    for (const device::Hazard& hazard : *result.hazards)
      if (const std::string kind = kindOf(hazard); !strays || kind != kGlobalRace)
        launch.kinds.insert(kind);
  launch.wrong = launch.kinds.empty() && launch.ended && result.check && !result.check->ok;
  launch.unwritten = launch.wrong && result.check->unwritten > 0;
  launches_.push_back(std::move(launch));
}

bool TroubleLog::isOnlyBesideWholeBlocks() const {
  const auto leaves = [](const Launch& launch) { return launch.kinds.contains(kBounds); };
  const auto isFine = [](const Launch& launch) { return launch.ended; };
  return isOnlyOutside(
             launches_, leaves, [](const Launch& one) { return one.shape.wholeBlocks; }, isFine) ||
         isOnlyOutside(
             launches_, leaves, [](const Launch& one) { return one.shape.wholeSizes; }, isFine);
}

/// The kind of wrong results without other findings; empty if there are none.
std::string TroubleLog::wrongKind() const {
  const auto isWrong = [](const Launch& launch) { return launch.wrong; };
  const auto isRight = [](const Launch& launch) { return launch.right; };
  if (std::ranges::none_of(launches_, isWrong)) return {};
  if (isOnlyOutside(
          launches_, isWrong, [](const Launch& one) { return one.shape.wholeBlocks; }, isRight) ||
      isOnlyOutside(
          launches_, isWrong, [](const Launch& one) { return one.shape.wholeSizes; }, isRight))
    return "wrong-sizes";
  const auto fitsSingleBlock = [](const Launch& one) {
    return one.shape.severalBlocks ? one.wrong : one.right;
  };
  const auto isSingle = [](const Launch& one) { return !one.shape.severalBlocks; };
  if (std::ranges::any_of(launches_, isSingle) && std::ranges::all_of(launches_, fitsSingleBlock))
    return "wrong-blocks";
  const auto leavesSome = [](const Launch& launch) { return !launch.wrong || launch.unwritten; };
  if (std::ranges::all_of(launches_, leavesSome)) return "unwritten";
  return std::ranges::all_of(launches_, isWrong) ? "wrong-each" : "wrong";
}

std::vector<Trouble> TroubleLog::troubles() const {
  std::set<std::string> kinds;
  for (const Launch& launch : launches_) kinds.insert(launch.kinds.begin(), launch.kinds.end());
  if (kinds.contains(kBounds) && isOnlyBesideWholeBlocks()) {
    kinds.erase(kBounds);
    kinds.insert("guard");
  }
  // In diverged warps, an earlier store may also be counted as a later one.
  if (kinds.contains("race-store-load")) kinds.erase("race-load-store");
  if (const std::string wrong = wrongKind(); !wrong.empty()) kinds.insert(wrong);
  std::vector<Trouble> all;
  for (const std::string& kind : kinds) all.push_back({kind, {}, 0});
  std::ranges::sort(all, {}, [](const Trouble& trouble) { return troubleOrder(trouble.kind); });
  return all;
}

}  // namespace tilestep::grade
