// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <algorithm>
#include <utility>

#include "features/known_devices/view.h"
#include "lab/figures.h"
#include "model/export/table_parts.h"
#include "model/model.h"

namespace tilestep::features::known_devices {
namespace {

/// The bound with the least DRAM traffic (`minimum`), or with all requested bytes; may be empty.
std::string boundOf(const lab::WhatIf& there, bool minimum) {
  for (const lab::Bound& bound : there.bounds)
    if (bound.minimum == minimum) return number(bound.flopPerSecond);
  return {};
}

std::string limitersOf(const lab::WhatIf& there) {
  if (!there.occupancy) return "limits unknown";
  if (!there.refusal().empty()) return "cannot run: " + there.refusal();
  std::string text;
  for (const std::string& name : there.occupancy->limiters)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

Table whatIfTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  if (!now.figuresMain || now.resolved->knownDevices->empty()) return out;
  const lab::RunResult& result = *now.figuresMain;
  out.title = "What if " + result.kernel +
              " ran on other devices: computed from published figures, not measured.";
  out.columns = {"device",
                 "compute capability",
                 "FP32 FLOP/second",
                 "DRAM bytes/second",
                 "ridge FLOP/byte",
                 "most FLOP/second if DRAM serves every request of lanes",
                 "most FLOP/second with the least traffic",
                 "occupancy",
                 "limited by",
                 "registers"};
  for (const lab::DeviceFile& file : *now.resolved->knownDevices) {
    const lab::WhatIf there = lab::whatIf(file, result, now.choice.assumedRegisters);
    out.rows.push_back({there.name, there.computeCapability, number(there.peakFlopPerSecond),
                        number(there.dramBytesPerSecond), number(there.ridgeFlopPerByte),
                        boundOf(there, false), boundOf(there, true),
                        there.occupancy ? number(there.occupancy->ratio()) : "", limitersOf(there),
                        there.registers.count > 0 ? whole(there.registers.count) + " (" +
                                                        lab::toText(there.registers.from) + ")"
                                                  : "unknown"});
  }
  return out;
}

/// The counters of a single block do not apply to the whole launch.
lab::RunResult withoutCounters(lab::RunResult result) {
  result.counters.reset();
  return result;
}

class KnownDevices : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return KnownDeviceView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"devices", "other devices", whatIfTable}};
  }

  void start(Model& model) override {
    std::vector<Error> errors;
    auto known = std::make_shared<std::vector<lab::DeviceFile>>(lab::readDeviceFiles(
        (std::filesystem::path(model.options.home) / "assets" / "devices").string(), &errors));
    std::ranges::sort(*known, {}, &lab::DeviceFile::id);
    model.known = std::move(known);
    for (const Error& error : errors) {
      const std::string name = error.where ? error.where->file : "a device's file";
      model.say({Notice::Kind::warning,
                 "device file " + name,
                 "A known device is left out because its file is damaged: " + error.message + ".",
                 error.where ? name + ":" + std::to_string(error.where->line) : name,
                 {}});
    }
  }

  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<KnownDevices>()
                                  .add("choose", &KnownDevices::choose)
                                  .add("next", &KnownDevices::next);
    return table.apply(*this, model, command);
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Snapshot& shared = moment.shared;
    const lab::DeviceFile* device = moment.resolved.known;
    if (device == nullptr || !shared.figuresMain || shared.figuresMain->plan.launches.empty())
      return nullptr;
    const uint32_t registers = moment.resolved.choice.assumedRegisters;
    if (of_ == shared.figuresMain && device_ == device->id && registers_ == registers) return view_;
    auto view = std::make_shared<KnownDeviceView>();
    view->whatIf = lab::whatIf(
        *device, shared.figuresOfBlock ? withoutCounters(*shared.figuresMain) : *shared.figuresMain,
        registers);
    of_ = shared.figuresMain;
    device_ = device->id;
    registers_ = registers;
    return view_ = std::move(view);
  }

 private:
  /// Evaluates the kernel on this known device, with its roofs and limits. An empty `id` returns to
  /// the GPU in use, if there is one.
  void choose(Model& model, const std::string& id) {
    const bool here = model.resolved->measures();
    model.change("roof", [&](Choice& choice) {
      choice.whatIf = here && !id.empty();
      if (!id.empty()) choice.roofDevice = id;
    });
    model.endGesture();
  }

  /// Selects the next or previous known device, wrapping around.
  void next(Model& model, int by) {
    const std::vector<lab::DeviceFile>& known = *model.known;
    if (known.empty()) return;
    const bool here = model.resolved->measures();  // The GPU in use is one of the options.
    const auto count = static_cast<ptrdiff_t>(known.size()) + (here ? 1 : 0);
    const auto at = std::ranges::find(known, model.choice.roofDevice, &lab::DeviceFile::id);
    ptrdiff_t index = at == known.end() ? 0 : at - known.begin();
    if (here) index = model.choice.whatIf ? index + 1 : 0;
    index = (index + by % count + count) % count;
    if (here && index == 0) return choose(model, {});
    choose(model, known[static_cast<size_t>(here ? index - 1 : index)].id);
  }

  // The inputs from which the view was computed.
  std::shared_ptr<const lab::RunResult> of_;
  std::string device_;
  uint32_t registers_ = 0;
  std::shared_ptr<const KnownDeviceView> view_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<KnownDevices>();
}

}  // namespace tilestep::features::known_devices
