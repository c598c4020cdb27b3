// SPDX-License-Identifier: Apache-2.0
// The session's part in the ladder: its rungs, what is counted of them, what is known of the
// device.
#include <algorithm>
#include <utility>

#include "base/library_product.h"
#include "compile/front_matter/front_matter.h"
#include "compile/front_matter/library_kernel.h"
#include "features/ladder/ladder_plan.h"
#include "features/ladder/ladder_roofs.h"
#include "features/ladder/ladder_view.h"
#include "lab/figures.h"
#include "model/session.h"

namespace tilestep::model {
namespace {

std::vector<compile::CatalogueEntry> libraryEntries() {
  std::vector<compile::CatalogueEntry> entries;
  for (const std::string_view name : kComparedProducts) {
    Result<compile::KernelSource> source = compile::libraryKernel(std::string(name));
    if (!source) continue;
    Result<compile::KernelSpec> spec = compile::parseKernel(*source);
    if (spec) entries.push_back({std::move(*source), std::move(*spec), std::nullopt});
  }
  return entries;
}

metrics::DeviceRates ratesOf(const device::DeviceInfo& info, const device::Ceilings* ceilings) {
  metrics::DeviceRates rates;
  rates.multiprocessors = info.multiprocessors;
  rates.clockHz = info.clockMhz * 1e6;
  rates.l2Bytes = info.l2Bytes;
  if (const auto capability =
          metrics::parseComputeCapability(info.computeCapability.value_or(""))) {
    rates.computeMajor = capability->major;
    rates.computeMinor = capability->minor;
  }
  if (ceilings == nullptr) return rates;
  rates.fp32FlopPerSecond = ceilings->fp32FlopPerSecond;
  rates.l2BytesPerSecond = ceilings->l2BytesPerSecond;
  rates.dramBytesPerSecond = ceilings->dramBytesPerSecond;
  return rates;
}

/// DRAM's least traffic is known of every rung; what lanes ask for and L1 looks up, of those that
/// were counted.
void addTraces(std::vector<RoofTrace>& traces, const SweepPlan& plan, const SweepPoint& point,
               const SweepSample& sample, const RungCounts* counts) {
  const SweepSeries& series = plan.series[point.series];
  const std::string number = rungNumberOf(series.spec->name);
  if (!sample.time || number.empty() || series.spec->reference != "matmul") return;
  RoofTrace trace;
  trace.name = "rung " + number + ", " + series.name;
  if (!sample.on.empty() && sample.on != plan.deviceName) trace.name += ", on " + sample.on;
  trace.number = std::stoull(number);
  trace.flopPerSecond = point.operations / (sample.time->medianMs * 1e-3);
  const auto put = [&](metrics::Level level, double flopPerByte) {
    trace.level = level;
    trace.flopPerByte = flopPerByte;
    traces.push_back(trace);
  };
  put(metrics::Level::dram, point.operations / static_cast<double>(point.leastBytes));
  if (counts == nullptr || !counts->reason.empty() || counts->work.copiesUncounted) return;
  const trace::Counters& total = counts->total;
  const double flop = 2 * counts->work.multiplyAdds;
  put(metrics::Level::lanes,
      flop / static_cast<double>(total.globalLoad.bytes + total.globalStore.bytes));
  put(metrics::Level::l1, flop / (counts->work.globalSectors * 32));
}

/// Where no kernel multiplies in TF32, its library's product is no mark.
bool needs(const std::vector<compile::CatalogueEntry>& catalogue, const std::string& reference) {
  return std::ranges::any_of(catalogue, [&](const compile::CatalogueEntry& entry) {
    return isRung(entry) && entry.spec->reference == reference;
  });
}

}  // namespace

bool Session::ladderShown() const {
  return sweep_.look && sweep_.look->kind == SweepKind::ladder;
}

/// The measured sizes, of the names that the lowest rung has.
compile::Bindings Session::ladderSizes() const {
  const auto rung = std::ranges::find_if(*catalogue_, isRung);
  if (rung == catalogue_->end()) return {};
  compile::Bindings sizes = rung->spec->sizes;
  for (auto& [name, value] : sizes)
    if (const auto chosen = choice_.measure.values.find(name);
        chosen != choice_.measure.values.end())
      value = chosen->second;
  return sizes;
}

/// What is known to be the best of each rung: of a recording its fastest run at these sizes, for
/// nothing else has a time there; else what a search found on such a device.
const std::map<std::string, KnownTunables>& Session::bestOfRungs(const device::DeviceInfo& device,
                                                                 const compile::Bindings& sizes) {
  const std::shared_ptr<const lab::DeviceRecording> recording = recordingHere();
  const std::string name = resolved_->tuningDevice();
  const std::string key = device.id + "/" + name + "/" + catalogueSignature_ + "/" +
                          lab::pointText(sizes, {}) + (recording ? "/r" : "");
  if (key == ladder_.bestKey) return ladder_.best;
  ladder_.bestKey = key;
  ladder_.best.clear();
  const std::vector<std::filesystem::path> folders(options_.tunedFolders.begin(),
                                                   options_.tunedFolders.end());
  for (const compile::CatalogueEntry& entry : *catalogue_) {
    if (!isRung(entry) || entry.spec->tunables.empty()) continue;
    std::optional<KnownTunables> best;
    if (recording) best = fastestRecorded(entry, sizes, *recording);
    if (!best) {
      const lab::KnownTuned tuned =
          lab::tunedFor(*entry.spec, lab::codeHashOf(entry.source), name, sizes, folders);
      best = searchedTunables(entry, sizes, tuned.best, device.limits);
    }
    if (best) ladder_.best.emplace(compile::stemOf(entry.source.path), std::move(*best));
  }
  return ladder_.best;
}

/// Its kernels at the measured sizes, on the device in use.
SweepInputs Session::ladderInputs(const device::DeviceInfo& device,
                                  const compile::CatalogueEntry* main) {
  if (ladder_.libraries.empty()) ladder_.libraries = libraryEntries();
  SweepInputs in;
  in.kind = SweepKind::ladder;
  in.axes = sweep_.look ? sweep_.look->axes : 0;
  in.device = &device;
  if (main != nullptr) in.main.entry = main;
  const compile::Bindings sizes = ladderSizes();
  in.others = ladderKernels(*catalogue_, bestOfRungs(device, sizes), choice_.tunables, {});
  if (in.others.empty()) return in;
  for (const compile::CatalogueEntry& entry : ladder_.libraries)
    if (needs(*catalogue_, entry.spec->reference)) in.others.push_back({&entry, {}});
  in.sizes = sizes;
  return in;
}

void Session::acceptLadderCount(const Arrival& arrival) {
  if (const auto* result = std::get_if<lab::RunResult>(&arrival.reply.body))
    ladder_.counts.accept(*result);
  else if (const Error* error = std::get_if<Error>(&arrival.reply.body))
    ladder_.counts.acceptError(error->message, arrival.reply.lost);
  dirty_ = true;
}

/// What the ladder needs counted next, while it is looked at and no sweep runs.
std::optional<lab::Experiment> Session::wantedLadderCount() {
  if (!ladderShown() || !sweeps_.plan() || sweeps_.plan()->kind != SweepKind::ladder)
    return std::nullopt;
  return ladder_.counts.wanted(*sweeps_.plan());
}

const std::vector<RoofTrace>& Session::rungTraces() {
  const compile::CatalogueEntry* main = resolved_->entry;
  const device::DeviceInfo* device = resolved_->device;
  if (main == nullptr || !isRung(*main) || device == nullptr || !device->measures) {
    ladder_.tracesKey.clear();
    ladder_.traces.clear();
    return ladder_.traces;
  }
  const std::shared_ptr<const lab::DeviceRecording> recording = recordingHere();
  const SweepInputs in = ladderInputs(*device, main);
  std::string key = device->id + catalogueSignature_ + std::to_string(sweeps_.version()) + "/" +
                    std::to_string(ladder_.counts.version()) + (recording ? "/r" : "");
  for (const SweepKernel& kernel : in.others)
    key += "/" + lab::pointText(in.sizes, kernel.tunables);
  if (key == ladder_.tracesKey) return ladder_.traces;
  ladder_.tracesKey = key;
  ladder_.traces.clear();
  const SweepPlan plan = makeSweepPlan(in);
  SweepSamples recorded;
  if (recording) recorded = recordedSamples(plan, *recording);
  for (const SweepPoint& point : plan.points) {
    if (!point.illegal.empty()) continue;
    const auto at = recorded.find(point.key);
    const SweepSample* sample = recording ? (at == recorded.end() ? nullptr : &at->second)
                                : device->recordedOn.empty() ? sweeps_.kept(plan, point)
                                                             : nullptr;
    if (sample != nullptr)
      addTraces(ladder_.traces, plan, point, *sample,
                ladder_.counts.find(plan.series[point.series], point));
  }
  return ladder_.traces;
}

/// What is known of the device that was measured, here or when it was recorded.
void Session::addOwnRates(const device::DeviceInfo& device, LadderInputs& in) {
  const bool asked = ceilings_ && ceilingsOf_ == device.id;
  const std::shared_ptr<const lab::DeviceRecording> recording = recordingHere();
  const LadderRoofs roofs = ladderRoofsOf(*in.sweep->plan, in.find, device,
                                          asked ? &*ceilings_ : nullptr, recording.get());
  in.rates = ratesOf(device, roofs.ceilings);
  in.ratesOrigin = roofs.origin;
  in.multiprocessor = lab::multiprocessorOf(device);
}

void Session::publishLadder(Snapshot& to) {
  if (!ladderShown() || !to.sweep || to.sweep->cells.empty()) return;
  const device::DeviceInfo* device = resolved_->device;
  const lab::DeviceFile* known = nullptr;
  if (device == nullptr) return;
  LadderInputs in;
  device::DeviceInfo sheet;
  if (!device->measures) {
    const auto at = std::ranges::find(*known_, choice_.roofDevice, &lab::DeviceFile::id);
    known = at == known_->end() ? nullptr : &*at;
  }
  if (known != nullptr) {
    sheet = known->info();
    const device::Ceilings ceilings = known->ceilings();
    in.rates = ratesOf(sheet, &ceilings);
    in.ratesOrigin = "the data sheet of " + known->name;
    in.multiprocessor = known->multiprocessor;
  }
  in.sweep = to.sweep.get();
  const std::shared_ptr<const SweepPlan> plan = to.sweep->plan;
  in.find = [&](const SweepPoint& point) { return sweeps_.known(point); };
  if (known == nullptr && device->measures) addOwnRates(*device, in);
  in.counts = [&](const SweepPoint& point) {
    return ladder_.counts.find(plan->series[point.series], point);
  };
  const std::string key = sweep_.viewKey + "/" + std::to_string(ladder_.counts.version()) + "/" +
                          in.ratesOrigin + "/" + std::to_string(plan->axesAt);
  if (key != ladder_.key || !ladder_.view || ladder_.of != to.sweep) {
    ladder_.key = key;
    ladder_.of = to.sweep;
    ladder_.view = std::make_shared<const LadderView>(ladderViewOf(in));
  }
  to.ladder = ladder_.view;
}

}  // namespace tilestep::model
