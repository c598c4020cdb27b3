// SPDX-License-Identifier: Apache-2.0
#include "features/roofline/roofline_traces.h"

#include <array>
#include <utility>

#include "base/figure.h"
#include "model/choice/pins.h"

namespace tilestep::features {
namespace {

using metrics::Level;
using metrics::RooflineWork;

constexpr std::array<Level, metrics::kLevels> kAll{Level::lanes, Level::l1, Level::l2, Level::dram,
                                                   Level::shared};
constexpr size_t kTrail = 24;  ///< The maximum number of points in the trail.

/// Adds a run's point at each level. On the roofs' device, the point is as measured. On another
/// device, it is the bound by the present roofs, for bytes that are equal on every device.
void addTraces(std::vector<RoofTrace>& to, const RooflineView& view, RooflineWork work,
               bool sameDevice, const RoofTrace& as) {
  if (work.operations <= 0 || !view.peakFlopPerSecond) return;
  if (!sameDevice) {
    work.seconds.reset();
    work.l2Bytes.reset();
    work.dramBytes.reset();
    work.sharedBytes.reset();
  }
  for (const Level level : kAll) {
    const uint64_t bytes = metrics::bytesAt(work, level);
    const Roof* roof = view.roofOf(level);
    if (bytes == 0 || roof == nullptr) continue;
    RoofTrace trace = as;
    trace.level = level;
    trace.flopPerByte = work.operations / static_cast<double>(bytes);
    const std::optional<double> seconds =
        work.seconds ? metrics::secondsAt(work, level) : std::nullopt;
    trace.bound = !seconds;
    trace.flopPerSecond = seconds ? work.operations / *seconds
                                  : metrics::attainable(trace.flopPerByte, *view.peakFlopPerSecond,
                                                        roof->bytesPerSecond);
    to.push_back(std::move(trace));
  }
}

/// Whether `run` is the present run, which is the newest stored run and not part of the trail.
bool isPresent(const RooflineInputs& in, const FormerRun& run) {
  if (in.main == nullptr || &run != &in.former.back()) return false;
  const RooflineWork now = rooflineWorkOf(*in.main, false);
  return now.operations == run.work.operations && now.askedBytes == run.work.askedBytes &&
         now.seconds == run.work.seconds;
}

/// "DRAM 4.53 of 4.80 TB/s (94.4 %)"
std::string ofPublished(const char* name, std::optional<double> measured,
                        std::optional<double> published, Unit unit) {
  if (!measured || !published || *published <= 0) return {};
  return std::string(name) + " " + toText(*measured, unit) + " of " + toText(*published, unit) +
         " (" + toText(*measured / *published, Unit::ratio) + ")";
}

/// The machine that timed the main kernel's points; absent if they were not timed.
std::optional<Machine> shownMachine(const RooflineInputs& in) {
  if (in.main == nullptr || !in.main->measurement) return std::nullopt;
  return machineOf(in.main->device);
}

/// A measured figure's name, with its machine if that may differ from the points'.
std::string namedWithMachine(std::string name, const Machine& machine, const RooflineInputs& in) {
  const std::optional<Machine> shown = shownMachine(in);
  const std::string whose = shown ? whoseText(machine, *shown) : std::string();
  return whose.empty() ? name : name + ", on " + whose;
}

}  // namespace

std::string publishedText(const RooflineInputs& in) {
  if (in.published == nullptr || in.ceilings == nullptr || !in.ceilings->measured) return {};
  std::string text;
  for (const std::string& part :
       {ofPublished("DRAM", in.ceilings->dramBytesPerSecond, in.published->dramBytesPerSecond,
                    Unit::bytesPerSecond),
        ofPublished("FP32", in.ceilings->fp32FlopPerSecond, in.published->fp32FlopPerSecond,
                    Unit::flopPerSecond)})
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  return text.empty()
             ? text
             : "Test kernels measured these roofs. Compared with the published figures: " + text +
                   ".";
}

void addMarks(RooflineView& view, const RooflineInputs& in) {
  const std::optional<Machine> shown = shownMachine(in);
  for (ReferenceMark mark : in.marks.marks) {
    const SameMachine same = shown ? sameMachine(mark.machine, *shown) : SameMachine::yes;
    if (same != SameMachine::yes) {
      mark.name += same == SameMachine::no ? ", on another GPU" : ", perhaps on another GPU";
      mark.origin += "\nThe points and this mark are from different GPUs; the mark is from " +
                     whoseText(mark.machine, *shown) + ".";
    }
    view.marks.push_back(std::move(mark));
  }
}

void addTrail(RooflineView& view, const RooflineInputs& in) {
  if (in.main == nullptr) return;
  const size_t first = in.former.size() > kTrail ? in.former.size() - kTrail : 0;
  for (const FormerRun& run : in.former.subspan(first)) {
    if (isPresent(in, run) || run.kernel != in.main->kernel) continue;
    // Runs of another problem size are not earlier versions of this launch.
    if (run.work.operations != rooflineWorkOf(*in.main, false).operations) continue;
    // Comparing a bound with a measured point would not show a change.
    if (!run.work.seconds && in.main->measurement && !in.whatIf) continue;
    const bool same = !in.whatIf && run.machine.name == view.device;
    if (run.work.seconds && !same && !in.whatIf) continue;  // It is from another GPU.
    addTraces(view.trail, view, run.work, same,
              {Level::dram,
               same && run.work.seconds ? namedWithMachine(run.label, run.machine, in) : run.label,
               0, 0, false, run.number, 0});
  }
}

void addPinned(RooflineView& view, const RooflineInputs& in) {
  if (in.pins == nullptr) return;
  for (const Pin& pin : in.pins->pins) {
    const bool same = !in.whatIf && pin.deviceName == view.device;
    addTraces(
        view.pinned, view, pin.timedWork(), same,
        {Level::dram, same && pin.time ? namedWithMachine(pin.name, pin.machine(), in) : pin.name,
         0, 0, false, pin.id, pin.colour});
  }
}

}  // namespace tilestep::features
