// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "base/utc.h"
#include "features/pins/runs_view.h"
#include "lab/figures.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording.h"
#include "model/choice/planning.h"
#include "model/export/table_parts.h"
#include "model/model.h"
#include "model/roofline_marks.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features::pins {
namespace {

std::string listOf(const compile::Bindings& bindings) {
  std::string text;
  for (const auto& [name, value] : bindings)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

std::string bytes(std::optional<uint64_t> count) {
  return count && *count > 0 ? std::to_string(*count) : "";
}

const char* verdictText(const RunComparison& to) {
  if (!to.time) return "";
  switch (to.verdict) {
    case metrics::TimeVerdict::faster:
      return "faster";
    case metrics::TimeVerdict::slower:
      return "slower";
    case metrics::TimeVerdict::notTold:
      return "no significant difference";
  }
  return "";
}

std::string percent(const std::optional<double>& share) {
  return share ? number(100 * *share) : "";
}

Table runsTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  const PinsPointer& pins = now.choice.pins;
  const Pin* base = pins ? pins->baseOrFirst() : nullptr;
  if (base == nullptr) return out;
  out.title = "Pinned runs against " + base->name + ". " + significanceRule();
  out.columns = {"name",         "kernel",      "tunables",     "sizes",    "device",
                 "median ms",    "p10 ms",      "p90 ms",       "samples",  "cold median ms",
                 "GFLOP/s",      "bytes asked", "sector bytes", "L2 bytes", "DRAM bytes",
                 "shared bytes", "registers",   "occupancy",    "achieved", "time against base, %",
                 "verdict",      "asked, %",    "sectors, %",   "L2, %",    "DRAM, %",
                 "origin",       "pinned",      "command"};
  for (const Pin& pin : pins->pins) {
    const RunComparison to = compareRuns(pin, *base);
    const auto time = [&](double PinnedTime::*value) {
      return pin.time ? number((*pin.time).*value) : std::string();
    };
    add(out, {pin.name,
              pin.kernel,
              listOf(pin.tunables),
              listOf(pin.sizes),
              pin.deviceName,
              time(&PinnedTime::medianMs),
              time(&PinnedTime::p10Ms),
              time(&PinnedTime::p90Ms),
              pin.time ? whole(pin.time->repetitions) : "",
              pin.time ? number(pin.time->coldMedianMs) : "",
              number(pin.gflops()),
              bytes(pin.work.askedBytes),
              bytes(pin.work.sectorBytes),
              bytes(pin.work.l2Bytes),
              bytes(pin.work.dramBytes),
              bytes(pin.work.sharedBytes),
              pin.registers ? whole(*pin.registers) : "",
              number(pin.occupancy),
              number(pin.achieved),
              percent(to.time),
              verdictText(to),
              percent(to.asked),
              percent(to.sectors),
              percent(to.l2),
              percent(to.dram),
              originText(pin),
              pin.pinned,
              commandOf(pin)});
  }
  return out;
}

constexpr size_t kLongestName = 80;  ///< Bytes.

/// A nonzero id that no pin has.
uint64_t newId(const Pins& pins) {
  std::random_device chance;
  uint64_t id = 0;
  while (id == 0 || pins.find(id) != nullptr) id = uint64_t{chance()} << 32 | chance();
  return id;
}

/// The colour used by the fewest pins.
unsigned freeColour(const Pins& pins) {
  std::array<size_t, kPinColours> used{};
  for (const Pin& pin : pins.pins) ++used[pin.colour];
  return static_cast<unsigned>(std::ranges::min_element(used) - used.begin());
}

/// Removes partial characters, line breaks, and surrounding blanks.
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
  // With few samples, rounding may move a percentile past the median.
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

/// The figures of a result. The caller adds identity and origin.
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

/// Adds the fastest known run of the same work. The kernel has the same reference and number of
/// operations; the sizes and the device's name are equal.
void addBestKnown(const Moment& moment, std::vector<ReferenceMark>& marks) {
  const Snapshot& to = moment.shared;
  if (!to.measures || !to.figuresMain || to.figuresMain->plan.operations <= 0) return;
  const lab::RunResult& main = *to.figuresMain;
  const compile::CatalogueEntry* entry = moment.resolved.find(main.kernel);
  if (entry == nullptr || !entry->spec || entry->spec->reference.empty()) return;
  const auto counts = [&](const TimedRun& run) {
    const compile::CatalogueEntry* other = moment.resolved.find(run.kernel);
    return other != nullptr && other->spec && other->spec->reference == entry->spec->reference &&
           other->spec->operations == entry->spec->operations &&
           isRunOf(run, *other, main.device.limits);
  };
  const auto best = moment.model.figures.best.fastest(main.plan.sizes, main.device.name, counts);
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
                   "The fastest known run at these sizes: " + what + ", " +
                       toText(best->medianMs * 1e-3, Unit::seconds) +
                       (best->day.empty() ? ", measured on " + name + " since the window was opened"
                                          : ", recorded on " + name + ", " + best->day),
                   machine});
}

class PinnedRuns : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "pins"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"runs", "pinned runs", runsTable}};
  }
  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<PinnedRuns>()
                                  .add("pin", &PinnedRuns::pinRun)
                                  .add("unpin", &PinnedRuns::unpin)
                                  .add("rename", &PinnedRuns::rename)
                                  .add("recolour", &PinnedRuns::recolour)
                                  .add("base", &PinnedRuns::chooseBase)
                                  .add("go", &PinnedRuns::goTo);
    return table.apply(*this, model, command);
  }
  void addMarks(const Moment& moment, RooflineMarks& to) override {
    addBestKnown(moment, to.marks);
  }

 private:
  static void changePins(Model& model, const std::string& field,
                         const std::function<void(Pins&)>& apply) {
    Pins next = model.choice.pins ? *model.choice.pins : Pins{};
    apply(next);
    if (model.choice.pins && next == *model.choice.pins) return;
    model.change(field, [&](Choice& choice) { choice.pins = std::make_shared<const Pins>(next); });
  }

  /// Pins the present figures. If there are none, a notice says why.
  void pinRun(Model& model) {
    const Snapshot& now = *model.shown;
    const auto refuse = [&](const std::string& why) {
      model.say({Notice::Kind::info, "pins", "Nothing was pinned: " + why, {}, {}});
    };
    if (!now.figuresMain || now.figuresStale)
      return refuse("this run has no figures yet. Try again in a moment.");
    if (now.figuresOfBlock)
      return refuse("only one block was run at this size. Count the whole grid first (C).");
    const size_t count = model.choice.pins ? model.choice.pins->pins.size() : 0;
    if (count >= kMostPins)
      return refuse(std::to_string(kMostPins) +
                    " runs are pinned, which is the maximum. Unpin one first.");
    Pin pin = pinOf(*now.figuresMain);
    pin.pinned = utcNow();
    pin.madeOn = pin.origin == PinOrigin::recorded ? now.figuresMain->device.recordedOn
                                                   : pin.pinned.substr(0, 10);
    if (!pin.achieved && !model.resolved->known && now.timelineFigures) {
      const double achieved = now.timelineFigures->achievedOccupancy;
      if (achieved >= 0 && achieved <= 1) pin.achieved = achieved;
    }
    pin.kernelFile = model.kernels.fileOf(pin.kernel);
    if (const compile::CatalogueEntry* entry = model.resolved->find(pin.kernel)) {
      pin.codeHash = lab::codeHashOf(entry->source);
      pin.entry = entry->source.entry;
    }
    const Pins before = model.choice.pins ? *model.choice.pins : Pins{};
    pin.id = newId(before);
    pin.colour = freeColour(before);
    pin.name = nameFor(*now.figuresMain);
    const std::string name = pin.name;
    changePins(model, "pin", [&](Pins& pins) { pins.pins.push_back(std::move(pin)); });
    model.endGesture();
    model.say({Notice::Kind::info,
               "pins",
               "Pinned: " + name + ", " + std::to_string(count + 1) + " in all.",
               {},
               {}});
  }

  void unpin(Model& model, uint64_t id) {
    changePins(model, "unpin", [&](Pins& pins) {
      std::erase_if(pins.pins, [&](const Pin& pin) { return pin.id == id; });
      if (pins.base == id) pins.base = 0;
    });
    model.endGesture();
  }

  /// Consecutive renames form one undo step until the gesture ends. An empty name has no effect.
  void rename(Model& model, uint64_t id, const std::string& name) {
    const std::string tidy = tidyName(name);
    if (tidy.empty()) return;
    changePins(model, "rename " + std::to_string(id), [&](Pins& pins) {
      for (Pin& pin : pins.pins)
        if (pin.id == id) pin.name = tidy;
    });
  }

  /// Changes the colour to the next one.
  void recolour(Model& model, uint64_t id) {
    changePins(model, "recolour", [&](Pins& pins) {
      for (Pin& pin : pins.pins)
        if (pin.id == id) pin.colour = (pin.colour + 1) % kPinColours;
    });
    model.endGesture();
  }

  /// Selects the base, the pin that other pins are compared with.
  void chooseBase(Model& model, uint64_t id) {
    changePins(model, "base", [&](Pins& pins) { pins.base = id; });
    model.endGesture();
  }

  /// Shows the pinned experiment again, on its device if that device is available.
  void goTo(Model& model, uint64_t id) {
    const Pin* found = model.choice.pins ? model.choice.pins->find(id) : nullptr;
    if (found == nullptr) return;
    const Pin pin = *found;
    if (!pin.kernelFile.empty()) model.takeKernel(pin.kernelFile);
    const compile::CatalogueEntry* entry = model.resolved->find(pin.kernel);
    const auto warn = [&](const std::string& text) {
      model.say({Notice::Kind::warning, "pins", text, {}, {}});
    };
    if (entry == nullptr || !entry->spec)
      return warn("The kernel of " + pin.name + " no longer exists: " + pin.kernel + ".");
    const bool here = std::ranges::any_of(
        *model.devices, [&](const device::DeviceInfo& device) { return device.id == pin.device; });
    const Result<compile::Plan> plan =
        compile::plan(*entry->spec, pin.sizes, pin.tunables, Limits{});
    const bool sceneToo = pin.origin == PinOrigin::interpreter && plan && !isLarge(*plan);
    model.change("pinned run", [&](Choice& choice) {
      choice.kernel = pin.kernel;
      choice.withoutBarrier = 0;
      choice.tunables[pin.kernel] = pin.tunables;
      choice.measure.values = pin.sizes;
      choice.measure.linked = std::ranges::all_of(
          pin.sizes, [&](const auto& size) { return size.second == pin.sizes.begin()->second; });
      if (sceneToo) choice.scene = choice.measure;
      if (here) choice.device = pin.device;
    });
    model.endGesture();
    if (pin.codeHash != 0 && lab::codeHashOf(entry->source) != pin.codeHash)
      return warn(pin.kernel + " was changed since " + pin.name +
                  " was pinned, so a different program runs now.");
    if (!here)
      warn("The device of " + pin.name + " (" + pin.deviceName +
           ") is not available, so the same experiment runs on the device in use.");
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<PinnedRuns>();
}

}  // namespace tilestep::features::pins
