// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>

#include "base/figure.h"
#include "base/nearest_name.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {
namespace {

using State = SweepCell::State;

std::string originOf(const SweepPlan& plan, const SweepView& view, const SweepViewInputs& in) {
  if (plan.source == SweepSource::file)
    return "from the file " + in.file + ", which names " + plan.deviceName;
  if (plan.source == SweepSource::interpreter) return "counted by the interpreter, exact";
  const bool recorded = plan.source == SweepSource::recording;
  std::string first, last;
  std::set<std::pair<uint32_t, std::string>> machines;  // By number.
  for (const SweepCell& cell : view.cells) {
    if (cell.state != State::done) continue;
    const SweepSample* sample = in.find(plan.points[cell.point]);
    if (sample == nullptr || sample->when.empty()) continue;
    if (first.empty() || sample->when < first) first = sample->when;
    last = std::max(last, sample->when);
    if (recorded && !sample->on.empty()) machines.emplace(sample->machine, sample->on);
  }
  if (recorded && first.empty()) first = last = plan.recordedOn;
  const std::string verb = recorded                   ? "recorded on "
                           : needsTime(view.quantity) ? "measured on "
                                                      : "counted on ";
  std::vector<std::string> names;
  for (const auto& [number, name] : machines) names.push_back(name);
  return verb + (names.empty() ? plan.deviceName : listed(names)) +
         (first.empty()   ? ""
          : first == last ? ", " + first
                          : ", " + first + " to " + last);
}

/// Whether a run may still provide the value. The worker reads recordings that cannot be read here.
bool canRun(const SweepPlan& plan, const SweepSample* sample) {
  if (plan.source == SweepSource::file) return false;
  if (plan.kind == SweepKind::ladder && plan.source == SweepSource::interpreter) return false;
  return plan.source != SweepSource::recording || sample == nullptr;
}

/// The reason for a gap.
std::string reasonOf(const SweepView& view, const SweepPlan& plan, const SweepSample* sample) {
  const char* where = plan.source == SweepSource::interpreter ? "the interpreter gives no times"
                      : plan.source == SweepSource::file      ? "not in the file"
                                                              : "not in the recording";
  if (sample == nullptr) return where;
  if (!sample->reason.empty()) return sample->reason;
  return isAnswered(view.quantity, *sample) ? "this kernel has no " + nameOf(view.quantity, plan)
                                            : where;
}

std::string hoverOf(const SweepViewInputs& in, const SweepView& view, const SweepCell& cell) {
  const SweepPlan& plan = *in.plan;
  const SweepPoint& point = plan.points[cell.point];
  std::string text =
      plan.series[point.series].name + "\n" + lab::pointText(point.sizes, point.tunables) + "\n";
  if (cell.state == State::illegal) return text + "Cannot run: " + cell.reason + ".";
  const SweepSample* sample = in.find(point);
  if (cell.state == State::waiting) return text + "Not run yet.";
  if (cell.state == State::missing) return text + "No value: " + cell.reason + ".";
  text += textOf(view.quantity, plan, cell.value.value);
  if (cell.value.spread)
    text += ", p10 to p90: " + textOf(view.quantity, plan, cell.value.low) + " to " +
            textOf(view.quantity, plan, cell.value.high);
  if (needsTime(view.quantity) && sample->time) {
    text += "\nmedian of " + std::to_string(sample->time->repetitions) +
            " samples: " + toText(sample->time->medianMs * 1e-3, Unit::seconds);
    if (view.quantity == SweepQuantity::speed)
      text += point.operations > 0
                  ? "; " + toText(point.operations, Unit::flop) + " ÷ that"
                  : "; " + toText(static_cast<double>(point.leastBytes), Unit::bytes) + " ÷ that";
  }
  text += "\n" + view.origin;
  if (!sample->by.empty()) text += " (" + sample->by + ")";
  return text + "\nA click or Enter shows this choice in the scene.";
}

void fillCell(const SweepViewInputs& in, SweepView& view, SweepCell& cell) {
  const SweepPoint& point = in.plan->points[cell.point];
  cell.now = point.series < in.now.size() && in.now[point.series] == valuesOf(point);
  const auto set = [&](State state, size_t& count, std::string reason) {
    cell.state = state;
    cell.reason = std::move(reason);
    ++count;
  };
  if (!point.illegal.empty()) return set(State::illegal, view.illegal, point.illegal);
  const SweepSample* sample = in.find(point);
  const bool answered = sample != nullptr && isAnswered(view.quantity, *sample);
  if (!answered && canRun(*in.plan, sample)) return set(State::waiting, view.waiting, {});
  std::optional<SweepValue> value;
  if (answered) {
    cell.machine = sample->machine;
    if (sample->reason.empty()) value = valueOf(view.quantity, point, *sample);
  }
  if (!value) return set(State::missing, view.missing, reasonOf(view, *in.plan, sample));
  cell.value = *value;
  set(State::done, view.done, {});
}

bool isBetter(const SweepView& view, double value, double than) {
  return lessIsBetter(view.quantity) ? value < than : value > than;
}

void findBest(SweepView& view) {
  std::optional<double> best, worst;
  for (const SweepCell& cell : view.cells) {
    if (cell.state != State::done) continue;
    const double value = cell.value.value;
    view.low = best ? std::min(view.low, cell.value.low) : cell.value.low;
    view.high = best ? std::max(view.high, cell.value.high) : cell.value.high;
    if (!best || isBetter(view, value, *best)) best = value;
    if (!worst || isBetter(view, *worst, value)) worst = value;
  }
  if (!best || *best == *worst) return;  // If all are equal, none is the best.
  for (SweepCell& cell : view.cells)
    cell.best = cell.state == State::done && cell.value.value == *best;
}

std::string titleOf(const SweepPlan& plan, SweepQuantity quantity) {
  const std::string what = nameOf(quantity, plan);
  if (plan.kind == SweepKind::ladder) return "The ladder, " + what;
  if (plan.kind == SweepKind::shapes && !plan.series.empty())
    return what + " of " + plan.series.front().name + " over " + plan.x.name + " × " + plan.y.name;
  return what + " over " + plan.x.name;
}

}  // namespace

std::string pointNameOf(const SweepPlan& plan, const SweepPoint& point) {
  const SweepSeries& series = plan.series[point.series];
  std::string name = shortNameOf(series.kernel);
  if (plan.kind == SweepKind::sizes)
    name += ", " + plan.x.name + " = " + std::to_string(plan.x.values[point.column]);
  else if (!point.tunables.empty())
    name += ", " + lab::pointText({}, point.tunables);
  if (plan.y.ofSizes) name += ", " + plan.y.name + " = " + std::to_string(plan.y.values[point.row]);
  return name;
}

std::string durationText(double seconds) {
  if (seconds < 1.5) return "1 s";
  if (seconds < 100) return std::to_string(std::lround(seconds)) + " s";
  return std::to_string(std::lround(seconds / 60)) + " min";
}

std::optional<size_t> neighbourOf(const SweepView& view, std::optional<size_t> at, int dx, int dy) {
  if (view.cells.empty()) return std::nullopt;
  const auto& points = view.plan->points;
  if (!at || *at >= view.cells.size()) {
    const bool ladder = view.plan->kind == SweepKind::ladder;  // Starts at the lowest rung.
    for (const auto wanted : {&SweepCell::now, ladder ? &SweepCell::now : &SweepCell::best})
      for (size_t i = 0; i < view.cells.size(); ++i)
        if (view.cells[i].*wanted) return i;
    return 0;
  }
  if (view.plan->kind == SweepKind::ladder) {  // The lowest rung is at the top.
    const auto to = static_cast<ptrdiff_t>(*at) + dx - dy;
    return static_cast<size_t>(
        std::clamp<ptrdiff_t>(to, 0, static_cast<ptrdiff_t>(view.cells.size()) - 1));
  }
  const bool map = !view.plan->y.values.empty();
  const SweepPoint& from = points[*at];
  // The nearest cell in that direction, because a kernel may have no point in some columns.
  std::optional<size_t> best;
  size_t distance = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const SweepPoint& to = points[i];
    const auto across = static_cast<ptrdiff_t>(to.column) - static_cast<ptrdiff_t>(from.column);
    const auto up = map ? static_cast<ptrdiff_t>(to.row) - static_cast<ptrdiff_t>(from.row)
                        : static_cast<ptrdiff_t>(to.series) - static_cast<ptrdiff_t>(from.series);
    const bool thatWay = dx != 0 ? across * dx > 0 && up == 0 : up * dy > 0;
    if (!thatWay) continue;
    const auto far = static_cast<size_t>(std::abs(across) + std::abs(up) * 4096);
    if (!best || far < distance) best = i, distance = far;
  }
  return best ? best : at;
}

std::optional<size_t> bestToChoose(const SweepView& view) {
  const SweepPlan& plan = *view.plan;
  if (plan.kind != SweepKind::tunable && plan.kind != SweepKind::shapes) return std::nullopt;
  std::optional<size_t> best;
  bool differ = false;
  for (size_t i = 0; i < view.cells.size(); ++i) {
    const SweepCell& cell = view.cells[i];
    if (cell.state != State::done || !plan.series[plan.points[cell.point].series].main) continue;
    const double value = cell.value.value, so = best ? view.cells[*best].value.value : value;
    differ = differ || value != so;
    if (!best || isBetter(view, value, so)) best = i;
  }
  return differ ? best : std::nullopt;
}

SweepView sweepViewOf(const SweepViewInputs& in) {
  SweepView view;
  view.plan = in.plan;
  const SweepPlan& plan = *in.plan;
  view.quantity = resolved(in.quantity, plan);
  for (size_t i = 1; i < kSweepQuantities; ++i)
    if (const auto quantity = static_cast<SweepQuantity>(i); resolved(quantity, plan) == quantity)
      view.quantities.push_back(quantity);
  view.file = in.file;
  view.axis = axisOf(view.quantity, plan);
  view.title = titleOf(plan, view.quantity);
  if (!plan.impossible.empty()) {
    view.story = "There is nothing to sweep: " + plan.impossible + ".";
    return view;
  }
  view.cells.resize(plan.points.size());
  for (size_t i = 0; i < plan.points.size(); ++i) {
    view.cells[i].point = i;
    fillCell(in, view, view.cells[i]);
  }
  findBest(view);
  view.origin = originOf(plan, view, in);
  for (SweepCell& cell : view.cells) cell.hover = hoverOf(in, view, cell);
  if (view.waiting > 0) {
    view.wish =
        "C runs " + std::to_string(view.waiting) + (view.waiting == 1 ? " point" : " points");
    if (in.secondsAPoint) {
      view.secondsLeft = *in.secondsAPoint * static_cast<double>(view.waiting);
      view.wish += ", about " + durationText(*view.secondsLeft);
    }
  }
  view.story = sweepStory(view);
  return view;
}

}  // namespace tilestep::features
