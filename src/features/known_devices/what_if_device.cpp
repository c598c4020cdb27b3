// SPDX-License-Identifier: Apache-2.0
// Known devices: whose roofs and limits are shown, and how full they would be.
#include <algorithm>
#include <utility>

#include "lab/figures.h"
#include "model/session.h"

namespace tilestep::model {
namespace {

/// What the occupancy of a result depends on. Results never change, so their address will do while
/// they are kept.
std::string keyOf(const OccupancyInputs& in) {
  return std::to_string(reinterpret_cast<uintptr_t>(in.result)) + "/" + in.device + "/" +
         in.tunable + "/" + std::to_string(in.assumedRegisters) +
         (in.fromDataSheet ? "/sheet" : "");
}

/// Counts of one block say nothing about the launch.
lab::RunResult withoutCounters(lab::RunResult result) {
  result.counters.reset();
  return result;
}

}  // namespace

void Session::findKnownDevices() {
  std::vector<Error> errors;
  auto known = std::make_shared<std::vector<lab::DeviceFile>>(lab::readDeviceFiles(
      (std::filesystem::path(options_.home) / "assets" / "devices").string(), &errors));
  std::ranges::sort(*known, {}, &lab::DeviceFile::id);
  for (const lab::DeviceFile& file : *known) roofDevices_.push_back(file.id);
  known_ = std::move(known);
  for (const Error& error : errors) {
    const std::string name = error.where ? error.where->file : "a device's file";
    say({Notice::Kind::warning,
         "device file " + name,
         "A known device is left out, for its file is damaged: " + error.message + ".",
         error.where ? name + ":" + std::to_string(error.where->line) : name,
         {}});
  }
}

void Session::chooseRoofDevice(const std::string& id) {
  const device::DeviceInfo* device = resolved_->device;
  const bool here = device != nullptr && device->measures;
  change("roof", [&](Choice& choice) {
    choice.elsewhere = here && !id.empty();
    if (!id.empty()) choice.roofDevice = id;
  });
  endGesture();
}

void Session::stepRoofDevice(int by) {
  if (known_->empty()) return;
  const device::DeviceInfo* device = resolved_->device;
  const bool here = device != nullptr && device->measures;  // The device itself is one of them.
  const auto count = static_cast<ptrdiff_t>(known_->size()) + (here ? 1 : 0);
  const auto at = std::ranges::find(*known_, choice_.roofDevice, &lab::DeviceFile::id);
  ptrdiff_t index = at == known_->end() ? 0 : at - known_->begin();
  if (here) index = choice_.elsewhere ? index + 1 : 0;
  index = (index + by % count + count) % count;
  if (here && index == 0) return chooseRoofDevice({});
  chooseRoofDevice((*known_)[static_cast<size_t>(here ? index - 1 : index)].id);
}

void Session::assumeRegisters(uint32_t count) {
  change("registers", [&](Choice& choice) { choice.assumedRegisters = std::min(count, 255U); });
}

void Session::publishOccupancy(Snapshot& to) {
  to.known = known_;
  if (!to.figuresMain || to.figuresMain->plan.launches.empty()) return;
  const lab::DeviceFile* file = resolved_->known;
  const device::DeviceInfo* device = resolved_->device;
  OccupancyInputs in;
  in.result = to.figuresMain.get();
  in.tunable = lastTunable_;
  in.assumedRegisters = choice_.assumedRegisters;
  in.fromDataSheet = file != nullptr;
  const compile::CatalogueEntry* entry = resolved_->find(in.result->kernel);
  if (entry != nullptr && entry->spec) in.spec = &*entry->spec;
  if (file != nullptr) {
    in.device = file->name;
    in.multiprocessor = file->multiprocessor;
    to.whatIf =
        lab::whatIf(*file, to.figuresOfBlock ? withoutCounters(*to.figuresMain) : *to.figuresMain,
                    choice_.assumedRegisters);
  } else if (const auto sm = device != nullptr ? lab::multiprocessorOf(*device) : std::nullopt) {
    in.device = device->name;
    in.multiprocessor = *sm;
  }
  if (in.multiprocessor.threads == 0) return;
  const std::string key = keyOf(in);
  if (key != occupancyKey_) {
    occupancyKey_ = key;
    occupancyOf_ = to.figuresMain;
    occupancy_ = occupancyViewOf(in);
  }
  to.occupancy = occupancy_;
  const bool timed =
      !to.figuresStale && !wanted_.timeline.empty() && timed_.key == wanted_.timeline;
  if (timed && file == nullptr) to.occupancy->achieved = timed_.figures;
}

}  // namespace tilestep::model
