// SPDX-License-Identifier: Apache-2.0
#include "app/program_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <vector>

#include "app/launch_status.h"
#include "app/sweep_progress.h"
#include "base/figure.h"

namespace tilestep::app {
namespace {

using program::Finding;
using program::LaunchRecord;
using program::ProgramRun;
using program::Severity;

/// One line of the report: what several launches share is said once.
struct Line {
  std::string text;
  size_t times = 1;
};

void add(std::vector<Line>& lines, std::string text) {
  for (Line& line : lines) {
    if (line.text != text) continue;
    ++line.times;
    return;
  }
  lines.push_back({std::move(text)});
}

std::string placeText(const program::Place& place) {
  if (place.line == 0) return {};
  return std::filesystem::path(place.file).filename().string() + ":" + std::to_string(place.line) +
         ": ";
}

std::string withoutEnd(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Whether the races of a launch change what it leaves.
std::string ordersText(const lab::OrderSearch& orders) {
  if (orders.found && !orders.found->fault.empty())
    return fmt::format("with its blocks and warps in another order (--order {}) it ends with {}",
                       orders.found->order, orders.found->fault);
  if (orders.found)
    return fmt::format(
        "with its blocks and warps in another order (--order {}) {} is {:.9g} instead of {:.9g}",
        orders.found->order, orders.found->element, orders.found->got, orders.found->expected);
  return fmt::format(
      "{} other order{} of its blocks and warps gave the same result; on a GPU the result can "
      "still differ, because threads run at the same time and stores may become visible late",
      orders.tried, orders.tried == 1 ? "" : "s");
}

/// What several launches do wrong in one line of a kernel is said once, with the first example.
class FaultsOfKernels {
 public:
  void add(const std::string& kernel, const simt::Fault& fault) {
    addLine(fmt::format("{}\n{}\n{}", kernel, fault.kind, fault.line),
            "in " + kernel + ": " + fault.kind + ": " + withoutEnd(fault.message));
  }
  void add(const std::string& kernel, const simt::Hazard& hazard) {
    const std::string key =
        fmt::format("{}\n{}\n{}\n{}", kernel, hazard.kind, hazard.first.line, hazard.second.line);
    if (places_.contains(key)) return addLine(key, std::string());
    Races& races = races_[kernel];
    if (++races.count > kShown) {
      races.first = std::min({races.first, hazard.first.line, hazard.second.line});
      races.last = std::max({races.last, hazard.first.line, hazard.second.line});
      places_[key] = kHidden;
      return;
    }
    addLine(key, "in " + kernel + ": " + hazard.kind + ": " + withoutEnd(hazard.message));
  }
  void addText(const std::string& text) { addLine(text, text); }
  /// With what was left out.
  std::vector<Line> take() {
    for (const auto& [kernel, races] : races_)
      if (races.count > kShown)
        lines_.push_back(
            {fmt::format("in {}: {} more pair{} of accesses race, in lines {} to {}; "
                         "--json lists them",
                         kernel, races.count - kShown, races.count - kShown == 1 ? "" : "s",
                         races.first, races.last)});
    return std::move(lines_);
  }

 private:
  struct Races {
    size_t count = 0;  ///< Pairs of lines.
    uint32_t first = UINT32_MAX, last = 0;
  };
  static constexpr size_t kShown = 3;  ///< Races of a kernel.
  static constexpr size_t kHidden = ~size_t{0};

  void addLine(const std::string& key, std::string text) {
    const auto [at, isNew] = places_.try_emplace(key, lines_.size());
    if (isNew)
      lines_.push_back({std::move(text)});
    else if (at->second != kHidden)
      ++lines_[at->second].times;
  }

  std::vector<Line> lines_;
  std::map<std::string, size_t> places_;  ///< By what is the same: which line.
  std::map<std::string, Races> races_;    ///< By kernel.
};

std::vector<Line> faultsOf(const ProgramRun& run) {
  std::vector<Line> lines;
  for (const Finding& each : run.findings)
    if (each.severity == Severity::fault)
      add(lines, placeText(each.place) + each.kind + ": " + withoutEnd(each.message));
  FaultsOfKernels ofKernels;
  for (const LaunchRecord& launch : run.launches) {
    for (const simt::Fault& each : launch.faults) ofKernels.add(launch.kernel, each);
    for (const simt::Hazard& each : launch.hazards) ofKernels.add(launch.kernel, each);
    if (launch.orders && launch.orders->tried > 0)
      ofKernels.addText("in " + launch.kernel + ": " + ordersText(*launch.orders));
  }
  for (Line& line : ofKernels.take()) lines.push_back(std::move(line));
  return lines;
}

std::vector<Line> remarksOf(const ProgramRun& run) {
  std::vector<Line> lines;
  for (const Finding& each : run.findings)
    if (each.severity == Severity::remark)
      add(lines, placeText(each.place) + each.kind + ": " + withoutEnd(each.message));
  return lines;
}

std::string listed(const std::string& heading, const std::vector<Line>& lines) {
  std::string text;
  if (!lines.empty()) text += heading + ":\n";
  for (const Line& line : lines)
    text += "  " + line.text +
            (line.times > 1 ? fmt::format(" ({} times)", line.times) : std::string()) + ".\n";
  return text;
}

/// "3 launches (2 of add, 1 of scale)".
std::string launchesText(const ProgramRun& run) {
  std::vector<std::pair<std::string, size_t>> kernels;
  for (const LaunchRecord& launch : run.launches) {
    const auto known =
        std::ranges::find(kernels, launch.kernel, &std::pair<std::string, size_t>::first);
    if (known != kernels.end())
      ++known->second;
    else
      kernels.push_back({launch.kernel, 1});
  }
  if (kernels.empty()) return "no launch";
  std::string names;
  for (const auto& [name, count] : kernels)
    names += (names.empty() ? "" : ", ") +
             (kernels.size() > 1 ? fmt::format("{} of {}", count, name) : name);
  const size_t all = run.launches.size();
  return fmt::format("{} launch{} {}{}{}", all, all == 1 ? "" : "es",
                     kernels.size() > 1 ? "(" : "of ", names, kernels.size() > 1 ? ")" : "");
}

/// "product: C is A · B in all 672 elements, in float64".
std::vector<Line> operationsOf(const ProgramRun& run) {
  std::vector<Line> lines;
  for (const LaunchRecord& launch : run.launches) {
    if (!launch.operation) continue;
    const lab::Operation& is = *launch.operation;
    const std::string share =
        is.wrong == 0
            ? fmt::format("all {}", grouped(is.compared))
            : fmt::format("{} of {}", grouped(is.compared - is.wrong), grouped(is.compared));
    const std::string whole = is.compared < is.elements
                                  ? fmt::format(" that were compared, of {},", grouped(is.elements))
                                  : std::string(",");
    add(lines, fmt::format("{}: {} is {} in {} elements{} in float64", launch.kernel, is.result,
                           is.formula, share, whole));
  }
  return lines;
}

/// The kernels of which nobody said what they are meant to compute: "add, scale".
std::string notJudged(const ProgramRun& run) {
  std::vector<std::string> kernels;
  for (const LaunchRecord& launch : run.launches)
    if (launch.ran && !launch.isMeant && std::ranges::count(kernels, launch.kernel) == 0)
      kernels.push_back(launch.kernel);
  return fmt::format("{}", fmt::join(kernels, ", "));
}

std::string engineText(const ProgramRun& run) {
  return run.gpu >= 0 ? fmt::format("cuda:{}, {}", run.gpu, run.device)
                      : "the SIMT interpreter, as an " + run.device;
}

bool isLookedAt(const LaunchRecord& launch) {
  return launch.notLooked.empty();
}

/// What was looked at, in each launch and each call.
std::string lookedAt(const ProgramRun& run, bool checked) {
  if (!std::ranges::all_of(run.launches, isLookedAt)) return "host calls";
  return checked ? "bounds, races, barriers, uninitialised values, host calls"
                 : "bounds, barriers, host calls";
}

/// Launches that nobody looked at, by the reason.
std::string notLookedAt(const ProgramRun& run, bool checked) {
  std::vector<std::pair<std::string, size_t>> reasons;
  for (const LaunchRecord& launch : run.launches) {
    if (isLookedAt(launch)) continue;
    const auto known =
        std::ranges::find(reasons, launch.notLooked, &std::pair<std::string, size_t>::first);
    if (known != reasons.end())
      ++known->second;
    else
      reasons.push_back({launch.notLooked, 1});
  }
  std::string text;
  for (const auto& [reason, count] : reasons)
    text += fmt::format("What {} did was not looked at: {}.\n",
                        count < run.launches.size()
                            ? fmt::format("{} of the {} launches", count, run.launches.size())
                        : count == 1 ? "the launch"
                                     : "the launches",
                        reason);
  if (!checked && run.gpu < 0)
    text += "Not looked for: races and uninitialised values; --check looks for them.\n";
  return text;
}

/// What a program that was ended at its limit was doing, and how long it takes at the least.
std::string limitText(const ProgramRun& run) {
  std::string text = fmt::format("The program was ended at its limit of time ({}).",
                                 toText(run.limitSeconds, Unit::seconds));
  if (run.unfinished) {
    const program::LaunchProgress& launch = *run.unfinished;
    text += fmt::format(" The launch of {}{} had run for {}", launch.kernel, lineText(launch.place),
                        roughly(launch.seconds));
    if (const std::optional<double> all = launch.estimate())
      text += fmt::format(
          " of about {} ({:.1f} % of its blocks had ended), so the program takes at least {} here.",
          roughly(*all), 100 * launch.ended, roughly(run.limitSeconds + *all - launch.seconds));
    else
      text += ", and none of its blocks had ended.";
  }
  return text + " --timeout SECONDS sets another limit; smaller sizes take less time.\n";
}

}  // namespace

std::string programReport(const ProgramRun& run, const std::string& command, bool checked) {
  std::string text;
  if (run.timedOut) {
    text += limitText(run);
  } else if (run.signal != 0) {
    text += fmt::format("The program was ended by signal {} ({}).\n", run.signal,
                        strsignal(run.signal));
  } else if (run.exitStatus != 0) {
    text += fmt::format("The program reports failure (status {}).\n", run.exitStatus);
  }
  text += fmt::format("{}: {} on {}.\n", command, launchesText(run), engineText(run));
  const std::vector<Line> faults = faultsOf(run);
  text += listed("Faults", faults);
  text += listed("Remarks", remarksOf(run));
  text += listed("Results", operationsOf(run));
  if (faults.empty() && run.timedOut)
    text += "What it had not done by then was not looked at.\n";
  else if (faults.empty())
    text +=
        fmt::format("No fault was found in {} launch{} on these inputs: {}.\n", run.launches.size(),
                    run.launches.size() == 1 ? "" : "es", lookedAt(run, checked));
  if (const std::string kernels = notJudged(run); !kernels.empty())
    text += "Not judged: whether the results are those that are meant, of " + kernels + ".\n";
  for (const std::string& library : run.libraries)
    text += fmt::format("{} is another library's here: its numbers are not NVIDIA's to the bit.\n",
                        library);
  return text + notLookedAt(run, checked);
}

bool hasFault(const ProgramRun& run) {
  return !faultsOf(run).empty();
}

}  // namespace tilestep::app
