// SPDX-License-Identifier: Apache-2.0
// Runs that are pinned, and the marks that the roofline compares with.
#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "base/figure.h"
#include "base/utc.h"
#include "features/pins/runs_view.h"
#include "lab/figures.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording.h"
#include "model/planning.h"
#include "model/session.h"
#include "model/traced_kernel.h"

namespace tilestep::model {
namespace {

constexpr size_t kLongestName = 80;  ///< Bytes.

/// Never 0, and not one of `pins`.
uint64_t newId(const Pins& pins) {
  std::random_device chance;
  uint64_t id = 0;
  while (id == 0 || pins.find(id) != nullptr) id = uint64_t{chance()} << 32 | chance();
  return id;
}

/// The one that fewest have.
unsigned freeColour(const Pins& pins) {
  std::array<size_t, kPinColours> used{};
  for (const Pin& pin : pins.pins) ++used[pin.colour];
  return static_cast<unsigned>(std::ranges::min_element(used) - used.begin());
}

/// Whole letters, no line breaks, no blanks at the ends.
std::string tidyName(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  if (name.size() > kLongestName) {
    size_t end = kLongestName;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
    name.resize(end);
  }
  const size_t first = name.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return name.substr(first, name.find_last_not_of(' ') + 1 - first);
}

std::optional<PinnedTime> timeOf(const std::optional<device::Measurement>& measurement) {
  if (!measurement || measurement->medianMs <= 0) return std::nullopt;
  const device::Measurement& m = *measurement;
  PinnedTime time{m.medianMs,    m.minMs, m.p10Ms,        m.p90Ms,
                  m.repetitions, m.batch, m.coldMedianMs, m.method};
  // Of few samples a percentile may lie beside the median by rounding.
  time.p10Ms = std::min(time.p10Ms, time.medianMs);
  time.p90Ms = std::max(time.p90Ms, time.medianMs);
  time.minMs = std::min(time.minMs, time.p10Ms);
  time.batch = std::max(time.batch, 1U);
  return time;
}

std::string nameFor(const lab::RunResult& result) {
  std::string name = shortNameOf(result.kernel);
  for (const auto& [tunable, value] : result.plan.tunables)
    name +=
        (result.plan.tunables.size() == 1 ? " " : " · " + tunable + " ") + std::to_string(value);
  return tidyName(name);
}

/// The figures of a result; who it is and where it was made is the caller's.
Pin pinOf(const lab::RunResult& result) {
  Pin pin;
  pin.kernel = result.kernel;
  pin.sizes = result.plan.sizes;
  pin.tunables = result.plan.tunables;
  if (!result.plan.launches.empty()) {
    pin.grid = result.plan.launches.front().grid;
    pin.block = result.plan.launches.front().block;
  }
  pin.device = result.device.id;
  pin.deviceName = result.device.name;
  pin.driver = result.device.driver;
  pin.identity = result.device.identity;
  pin.machines = result.device.machines;
  pin.machineNumber = result.device.machine;
  pin.time = timeOf(result.measurement);
  pin.work = rooflineWorkOf(result, false);
  pin.work.seconds.reset();
  pin.work.coldSeconds.reset();
  pin.registers = result.registers;
  pin.sharedBytes = result.sharedBytes;
  if (const auto occupancy = lab::occupancyOf(result.device, result))
    pin.occupancy = occupancy->ratio();
  pin.origin = !pin.time                          ? PinOrigin::interpreter
               : result.device.recordedOn.empty() ? PinOrigin::measured
                                                  : PinOrigin::recorded;
  if (result.hardware)
    if (const device::HardwareFigure* f = result.hardware->find("achieved_occupancy"))
      if (f->value >= 0 && f->value <= 1) pin.achieved = f->value;
  return pin;
}

}  // namespace

void Session::changePins(const std::string& field, const std::function<void(Pins&)>& apply) {
  Pins next = choice_.pins ? *choice_.pins : Pins{};
  apply(next);
  if (choice_.pins && next == *choice_.pins) return;
  change(field, [&](Choice& choice) { choice.pins = std::make_shared<const Pins>(next); });
}

void Session::pinRun() {
  const Snapshot& now = *snapshot_;
  const auto refuse = [&](const std::string& why) {
    say({Notice::Kind::info, "pins", "Nothing was pinned: " + why, {}, {}});
  };
  if (!now.figuresMain || now.figuresStale) return refuse("the figures are still on their way.");
  if (now.figuresOfBlock)
    return refuse("only one block was run at this size. Count the whole grid first (C).");
  const size_t count = choice_.pins ? choice_.pins->pins.size() : 0;
  if (count >= kMostPins)
    return refuse(std::to_string(kMostPins) + " runs are pinned. Let one go first.");
  Pin pin = pinOf(*now.figuresMain);
  pin.pinned = utcNow();
  pin.madeOn = pin.origin == PinOrigin::recorded ? now.figuresMain->device.recordedOn
                                                 : pin.pinned.substr(0, 10);
  if (!pin.achieved && !resolved_->known && now.timelineFigures) {
    const double achieved = now.timelineFigures->achievedOccupancy;
    if (achieved >= 0 && achieved <= 1) pin.achieved = achieved;
  }
  pin.kernelFile = fileOf(pin.kernel);
  if (const compile::CatalogueEntry* entry = resolved_->find(pin.kernel)) {
    pin.codeHash = lab::codeHashOf(entry->source);
    pin.entry = entry->source.entry;
  }
  const Pins before = choice_.pins ? *choice_.pins : Pins{};
  pin.id = newId(before);
  pin.colour = freeColour(before);
  pin.name = nameFor(*now.figuresMain);
  const std::string name = pin.name;
  changePins("pin", [&](Pins& pins) { pins.pins.push_back(std::move(pin)); });
  endGesture();
  say({Notice::Kind::info,
       "pins",
       "Pinned: " + name + ", " + std::to_string(count + 1) + " in all.",
       {},
       {}});
}

void Session::unpin(uint64_t id) {
  changePins("unpin", [&](Pins& pins) {
    std::erase_if(pins.pins, [&](const Pin& pin) { return pin.id == id; });
    if (pins.base == id) pins.base = 0;
  });
  endGesture();
}

void Session::renamePin(uint64_t id, const std::string& name) {
  const std::string tidy = tidyName(name);
  if (tidy.empty()) return;
  changePins("rename " + std::to_string(id), [&](Pins& pins) {
    for (Pin& pin : pins.pins)
      if (pin.id == id) pin.name = tidy;
  });
}

void Session::recolourPin(uint64_t id) {
  changePins("recolour", [&](Pins& pins) {
    for (Pin& pin : pins.pins)
      if (pin.id == id) pin.colour = (pin.colour + 1) % kPinColours;
  });
  endGesture();
}

void Session::chooseBase(uint64_t id) {
  changePins("base", [&](Pins& pins) { pins.base = id; });
  endGesture();
}

void Session::goToPin(uint64_t id) {
  const Pin* found = choice_.pins ? choice_.pins->find(id) : nullptr;
  if (found == nullptr) return;
  const Pin pin = *found;
  if (!pin.kernelFile.empty()) takeKernel(pin.kernelFile);
  const compile::CatalogueEntry* entry = resolved_->find(pin.kernel);
  const auto warn = [&](const std::string& text) {
    say({Notice::Kind::warning, "pins", text, {}, {}});
  };
  if (entry == nullptr || !entry->spec)
    return warn("The kernel of " + pin.name + " is not here any more: " + pin.kernel + ".");
  const bool here = std::ranges::any_of(
      *devices_, [&](const device::DeviceInfo& device) { return device.id == pin.device; });
  const Result<compile::Plan> plan = compile::plan(*entry->spec, pin.sizes, pin.tunables, Limits{});
  const bool sceneToo = pin.origin == PinOrigin::interpreter && plan && !isLarge(*plan);
  change("pinned run", [&](Choice& choice) {
    choice.kernel = pin.kernel;
    choice.withoutBarrier = 0;
    choice.tunables[pin.kernel] = pin.tunables;
    choice.measure.values = pin.sizes;
    choice.measure.linked = std::ranges::all_of(
        pin.sizes, [&](const auto& size) { return size.second == pin.sizes.begin()->second; });
    if (sceneToo) choice.scene = choice.measure;
    if (here) choice.device = pin.device;
  });
  endGesture();
  if (pin.codeHash != 0 && lab::codeHashOf(entry->source) != pin.codeHash)
    return warn(pin.kernel + " was changed since " + pin.name +
                " was pinned: what runs now is another program.");
  if (!here)
    warn("The device of " + pin.name + " (" + pin.deviceName +
         ") is not here: the same experiment, on the device in use.");
}

/// The fastest run known of the same work: a kernel that the same reference checks, as many
/// operations, the same sizes and a device of the same name.
void Session::addBestKnown(const Snapshot& to, std::vector<ReferenceMark>& marks) const {
  if (!to.measures || !to.figuresMain || to.figuresMain->plan.operations <= 0) return;
  const lab::RunResult& main = *to.figuresMain;
  const compile::CatalogueEntry* entry = resolved_->find(main.kernel);
  if (entry == nullptr || !entry->spec || entry->spec->reference.empty()) return;
  const auto counts = [&](const std::string& kernel) {
    const compile::CatalogueEntry* other = resolved_->find(kernel);
    return other != nullptr && other->spec && other->spec->reference == entry->spec->reference &&
           other->spec->operations == entry->spec->operations;
  };
  const auto best = best_.fastest(main.plan.sizes, main.device.name, counts);
  if (!best) return;
  std::string what = shortNameOf(best->kernel);
  for (const auto& [name, value] : best->tunables)
    what += " · " + name + " " + std::to_string(value);
  const Machine& machine = best->machine;
  const bool here = sameMachine(machine, machineOf(main.device)) == SameMachine::yes;
  const std::string name =
      machine.number > 0 ? machine.name + " no. " + std::to_string(machine.number) : machine.name;
  marks.push_back({(here ? "fastest here: " : "fastest known: ") + shortNameOf(best->kernel),
                   main.plan.operations / (best->medianMs * 1e-3),
                   "The fastest run of this program's kernels that is known at these sizes: " +
                       what + ", " + toText(best->medianMs * 1e-3, Unit::seconds) +
                       (best->day.empty() ? ", measured on " + name + " since the window was opened"
                                          : ", recorded on " + name + ", " + best->day),
                   machine});
}

}  // namespace tilestep::model
