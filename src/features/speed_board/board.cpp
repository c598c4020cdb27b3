// SPDX-License-Identifier: Apache-2.0
#include "features/speed_board/board.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/figure.h"
#include "features/roofline/roofline_view.h"
#include "lab/recording/recording.h"
#include "model/choice/planning.h"
#include "model/model.h"
#include "model/text/step_summary.h"
#include "model/text/traffic.h"
#include "model/timed_kernels.h"

namespace tilestep::features {
namespace {

/// The share of the speed that the nearest roof allows.
std::optional<Ratio> shareOf(const RooflineView& roofline) {
  const auto at = std::ranges::find_if(roofline.points, [&](const RoofPoint& point) {
    return !point.companion && point.point.level == roofline.nearest;
  });
  const bool known = at != roofline.points.end() && !at->bound && at->flopPerSecond &&
                     at->attainable && *at->attainable > 0;
  if (!known) return std::nullopt;
  const std::string level = metrics::toText(at->point.level);
  return Ratio{.name = "of what " + level + " allows",
               .unit = Unit::ratio,
               .own = *at->flopPerSecond / *at->attainable,
               .hover = "FLOP/s over what the roof of " + level + " allows at " +
                        toText(at->point.intensity.value, Unit::flopPerByte) + ": " +
                        toText(*at->attainable, Unit::flopPerSecond) + ". Roofs of " +
                        roofline.device + ", " + roofline.origin + "."};
}

/// The run with these tunables, preferably on the shown figure's machine. `anyMachine` allows runs
/// on other machines. Null if there is none.
const TimedRun* runWith(const std::vector<const TimedRun*>& runs, const compile::Bindings& tunables,
                        const Machine& shown, bool anyMachine) {
  const TimedRun* found = nullptr;
  for (const TimedRun* run : runs) {
    const SameMachine same = sameMachine(run->machine, shown);
    const bool fits =
        run->medianMs > 0 && run->tunables == tunables && (anyMachine || same != SameMachine::no);
    if (fits && (found == nullptr || same == SameMachine::yes)) found = run;
  }
  return found;
}

/// One point per value of `tunable` that was timed with the other tunables as chosen.
std::vector<SpeedTrend::Point> pointsOver(const std::string& tunable,
                                          const std::vector<const TimedRun*>& runs,
                                          compile::Bindings tunables, const Machine& shown,
                                          double operations) {
  std::set<int64_t> values;
  for (const TimedRun* run : runs)
    if (const auto at = run->tunables.find(tunable); at != run->tunables.end())
      values.insert(at->second);
  std::vector<SpeedTrend::Point> points;
  for (const int64_t value : values) {
    tunables[tunable] = value;
    if (const TimedRun* run = runWith(runs, tunables, shown, true))
      points.push_back({value, operations / run->medianMs * 1e3});
  }
  return points;
}

/// The companion's speeds at the values of the main kernel's points. Points in blocks of another
/// shape and from another machine are omitted, because the window shows no ratio for them.
std::vector<SpeedTrend::Point> companionPoints(const Moment& moment, const SpeedTrend& trend,
                                               const Machine& shown) {
  const Resolved& resolved = moment.resolved;
  const compile::CatalogueEntry* companion = resolved.comparisonEntry();
  if (companion == nullptr || resolved.changed) return {};
  const Limits& limits = resolved.device->limits;
  const std::vector<const TimedRun*> runs =
      moment.model.figures.best.runsOf(*companion, resolved.measureSizes, *resolved.device);
  std::vector<SpeedTrend::Point> points;
  for (const SpeedTrend::Point& point : trend.points) {
    compile::Bindings values = resolved.tunables;
    values[trend.tunable] = point.value;
    const auto main = compile::plan(*resolved.entry->spec, resolved.measureSizes, values, limits);
    if (!main) continue;
    const compile::Bindings wanted = resolved.comparisonTunables(*companion, *main, true);
    const auto other = compile::plan(*companion->spec, resolved.measureSizes, wanted, limits);
    if (!other || (!resolved.blocksAreChosen && !haveEqualBlocks(*main, *other))) continue;
    if (const TimedRun* run = runWith(runs, wanted, shown, false))
      points.push_back({point.value, other->operations / run->medianMs * 1e3});
  }
  return points;
}

/// The speeds over the tunable that was changed last or, if only one of its values is known, over
/// the first tunable with several known values.
SpeedTrend trendOf(const Moment& moment, const std::vector<const TimedRun*>& runs,
                   const Machine& shown) {
  const Resolved& resolved = moment.resolved;
  const double operations = resolved.measurePlan ? resolved.measurePlan->operations : 0;
  if (operations <= 0) return {};
  std::vector<compile::TunableSpec> tunables = resolved.entry->spec->tunables;
  std::ranges::stable_partition(tunables, [&](const compile::TunableSpec& tunable) {
    return tunable.name == moment.model.lastTunable;
  });
  for (const compile::TunableSpec& tunable : tunables) {
    if (!resolved.tunables.contains(tunable.name)) continue;
    SpeedTrend trend{tunable.name, tunable.note, {}, {}, {}, {}, {}};
    trend.points = pointsOver(tunable.name, runs, resolved.tunables, shown, operations);
    if (trend.points.size() < 2) continue;
    trend.otherPoints = companionPoints(moment, trend, shown);
    return trend;
  }
  return {};
}

std::string speedText(double operations, double seconds) {
  return operations > 0 && seconds > 0 ? toText(operations / seconds, Unit::flopPerSecond)
         : seconds > 0                 ? toText(seconds, Unit::seconds)
                                       : "";
}

/// "naive: timed in blocks of 16 × 16, drawn in blocks of 4 × 4."; empty if they are the same.
std::string drawnText(const lab::RunResult& timed, const TracedKernel* drawn) {
  if (drawn == nullptr || drawn->kernel != timed.kernel) return {};
  if (timed.plan.launches.empty() || drawn->result->plan.launches.empty()) return {};
  const Dim3 &was = timed.plan.launches.front().block,
             &is = drawn->result->plan.launches.front().block;
  if (was == is) return {};
  return shortNameOf(timed.kernel) + ": timed in " + blocksText(was) + ", drawn in " +
         blocksText(is) + ".";
}

bool holds(const compile::Bindings& all, const compile::Bindings& some) {
  return std::ranges::all_of(some, [&](const auto& one) {
    const auto at = all.find(one.first);
    return at != all.end() && at->second == one.second;
  });
}

/// "timed at n = 16,777,216, BLOCK 256"
std::string timedText(const compile::Bindings& sizes, const compile::Bindings& tunables) {
  std::string text = "timed at ";
  if (sizes.size() == 1)
    text += sizes.begin()->first + " = " + grouped(static_cast<uint64_t>(sizes.begin()->second));
  else
    text += sizesText(sizes);
  for (const auto& [name, value] : tunables) text += ", " + name + " " + std::to_string(value);
  return text;
}

/// Shows another launch of the chosen kernel; false if its time is unknown.
bool showLaunch(const Moment& moment, const compile::Bindings& sizes,
                const compile::Bindings& tunables, SpeedBoardView& view) {
  const Resolved& resolved = moment.resolved;
  for (const TimedRun* run :
       moment.model.figures.best.runsOf(*resolved.entry, sizes, *resolved.device)) {
    if (!holds(run->tunables, tunables)) continue;
    const auto planned =
        compile::plan(*resolved.entry->spec, sizes, run->tunables, resolved.device->limits);
    view.speed = speedText(planned ? planned->operations : 0, run->medianMs / 1e3);
    view.sizes = sizesText(sizes);
    return true;
  }
  return false;
}

/// The lab's launch of the chosen kernel with the chosen tunables.
void showTimed(const Moment& moment, const Lab* lab, SpeedBoardView& view) {
  const Resolved& resolved = moment.resolved;
  for (const LabKernel* kernel : timedKernels(lab)) {
    if (kernel->name != resolved.choice.kernel || !holds(resolved.tunables, kernel->tunables))
      continue;
    const compile::Bindings tunables = timedTunablesOf(*kernel);
    if (!showLaunch(moment, kernel->timedSizes, tunables, view)) continue;
    view.timedAt = timedText(kernel->timedSizes, tunables);
    return;
  }
}

void showNearest(const Moment& moment, const lab::Nearest& nearest, SpeedBoardView& view) {
  if (nearest.known && showLaunch(moment, nearest.sizes, nearest.tunables, view))
    view.instead = "Not recorded. This is the nearest recorded launch: " +
                   lab::pointText(nearest.sizes, nearest.tunables) + ".";
}

}  // namespace

std::vector<Ratio> speedFiguresOf(const Snapshot& now) {
  std::vector<Ratio> figures;
  if (!now.figuresMain || now.figuresStale || !now.figuresMain->measurement) return figures;
  const lab::RunResult& result = *now.figuresMain;
  const metrics::RooflineWork work = rooflineWorkOf(result, false);
  const double seconds = result.measurement->medianMs / 1e3;
  if (seconds <= 0) return figures;
  const auto put = [&](const std::string& name, Unit unit, double own, const std::string& hover) {
    figures.push_back({.name = name, .unit = unit, .own = own, .hover = hover});
  };
  put("time", Unit::seconds, seconds, "Measured on " + work.measuredOn + ".");
  if (work.operations > 0)
    put(kWork, Unit::flopPerSecond, work.operations / seconds,
        "Operations by the kernel's formula over that time.");
  if (const std::optional<DramRate> rate = dramRateOf(work))
    put(rate->name, Unit::bytesPerSecond, rate->bytesPerSecond(), rate->from);
  if (auto share = shareOf(now.view<RooflineView>())) figures.push_back(std::move(*share));
  return figures;
}

std::shared_ptr<const SpeedBoardView> speedBoardOf(const Moment& moment, const Lab* lab,
                                                   bool inLesson) {
  const Snapshot& shared = moment.shared;
  const Resolved& resolved = moment.resolved;
  const lab::RunResult* main = shared.figuresMain.get();
  if (!resolved.measures() || !resolved.isUsable() || main == nullptr || shared.figuresStale)
    return nullptr;
  auto view = std::make_shared<SpeedBoardView>();
  view->kernel = shortNameOf(resolved.choice.kernel);
  // It is never timed without this barrier.
  if (resolved.changed) view->kernel += " with all its barriers";
  view->sizes = sizesText(resolved.measureSizes);
  const device::DeviceInfo& device = main->measurement ? main->device : *resolved.device;
  view->origin = device::machineText(device) +
                 (device.recordedOn.empty() ? ", measured" : ", recorded " + device.recordedOn);
  view->trend = trendOf(
      moment,
      moment.model.figures.best.runsOf(*resolved.entry, resolved.measureSizes, *resolved.device),
      machineOf(main->device));
  // A lab's kernels are compared at the lab's launches, even if others are recorded.
  if (inLesson) showTimed(moment, lab, *view);
  if (!view->timedAt.empty()) return view;
  if (main->nearest && !inLesson) showNearest(moment, *main->nearest, *view);
  if (!main->measurement || main->measurement->medianMs <= 0) return view;
  const double seconds = main->measurement->medianMs / 1e3;
  view->speed = speedText(main->plan.operations, seconds);
  if (!view->trend.tunable.empty())
    view->trend.now = {resolved.tunables.at(view->trend.tunable), main->plan.operations / seconds};
  const lab::RunResult* other = shared.figuresCompanion.get();
  if (other == nullptr) return view;
  view->other = launchText(*other);
  view->comparison = shared.ratios.time.text();
  view->missing = shared.ratios.missing;
  view->trend.otherName =
      other->kernel == main->kernel ? launchText(*other) : shortNameOf(other->kernel);
  if (!other->measurement || other->measurement->medianMs <= 0) return view;
  const double otherSeconds = other->measurement->medianMs / 1e3;
  view->drawn = drawnText(*other, shared.companionKernel.get());
  view->otherSpeed = speedText(other->plan.operations, otherSeconds);
  if (view->trend.now && other->plan.operations > 0 && shared.ratios.comparable)
    view->trend.other = {view->trend.now->value, other->plan.operations / otherSeconds};
  return view;
}

}  // namespace tilestep::features
