// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/ladder.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/library_product.h"
#include "compile/front_matter/front_matter.h"
#include "compile/front_matter/library_kernel.h"
#include "lab/figures.h"
#include "model/device_rates.h"

namespace tilestep::features {
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

/// Every rung has a mark for DRAM's least traffic; counted rungs also have marks for the bytes that
/// lanes request and for those that L1 looks up.
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
    trace.how = level == metrics::Level::dram
                    ? "each buffer moved once"
                    : metrics::toText(level) +
                          ", counted at m = n = " + std::to_string(kLadderCountSide) +
                          " and two k, taken to this k";
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

/// Whether a rung computes `reference`; otherwise the library's product is not shown.
bool needs(const std::vector<compile::CatalogueEntry>& catalogue, const std::string& reference) {
  return std::ranges::any_of(catalogue, [&](const compile::CatalogueEntry& entry) {
    return isRung(entry) && entry.spec->reference == reference;
  });
}

/// The measured sizes, restricted to the names that the lowest rung has.
compile::Bindings sizesOf(const Model& model) {
  const Catalogue& catalogue = *model.kernels.catalogue();
  const auto rung = std::ranges::find_if(catalogue, isRung);
  if (rung == catalogue.end()) return {};
  compile::Bindings sizes = rung->spec->sizes;
  const compile::Bindings& chosen = model.choice.measure.values;
  for (auto& [name, value] : sizes)
    if (const auto at = chosen.find(name); at != chosen.end()) value = at->second;
  return sizes;
}

}  // namespace

LadderRoofs ladderRoofsOf(const SweepPlan& plan,
                          const std::function<const SweepSample*(const SweepPoint&)>& find,
                          const device::DeviceInfo& device, const device::Ceilings* usual,
                          const lab::DeviceRecording* recording) {
  LadderRoofs roofs{usual, {}};
  std::string name = device.name, note;
  if (recording != nullptr || !device.recordedOn.empty()) {
    std::set<uint32_t> machines;  // The machines of all timed points.
    for (const SweepPoint& point : plan.points) {
      const SweepSample* sample = point.illegal.empty() ? find(point) : nullptr;
      if (sample != nullptr && sample->time) machines.insert(sample->machine);
    }
    const uint32_t machine = machines.size() == 1 ? *machines.begin() : 0;
    const device::Ceilings* own =
        machine != 0 && recording != nullptr ? lab::ceilingsOf(*recording, machine) : nullptr;
    if (own != nullptr) {
      roofs.ceilings = own;
      if (recording->machines.size() > 1) name += " no. " + std::to_string(machine);
    } else {
      note =
          ", on a machine of the same kind, which may not be the one that the points were measured "
          "on";
    }
  }
  roofs.origin = "what " + name + " can do at most";
  if (roofs.ceilings != nullptr) roofs.origin += " (" + roofs.ceilings->origin + note + ")";
  return roofs;
}

/// The best known tunables of each rung: its fastest run in the recording at these sizes, because
/// no other run has a time there, otherwise the result of a search on such a device.
const std::map<std::string, KnownTunables>& Ladder::bestOfRungs(const Model& model,
                                                                const device::DeviceInfo& device,
                                                                const RecordingPointer& recording,
                                                                const compile::Bindings& sizes) {
  const std::string name = model.resolved->tuningDevice();
  const auto known = model.points->tuned(name);
  const std::string key = device.id + "/" + name + "/" + model.kernels.signature() + "/" +
                          lab::pointText(sizes, {}) + (recording ? "/r" : "");
  if (key == bestKey_ && known == bestOf_) return best_;
  bestKey_ = key;
  bestOf_ = known;
  best_.clear();
  for (const compile::CatalogueEntry& entry : *model.kernels.catalogue()) {
    if (!isRung(entry) || entry.spec->tunables.empty()) continue;
    std::optional<KnownTunables> best;
    if (recording) best = fastestRecorded(entry, sizes, *recording);
    if (!best && known != nullptr) {
      const auto tuned =
          lab::bestTuned(*entry.spec, lab::programHashOf(entry.source, *entry.spec), sizes, *known);
      best = searchedTunables(entry, sizes, tuned, device.limits);
    }
    if (best) best_.emplace(compile::nameOf(entry.source), std::move(*best));
  }
  return best_;
}

SweepInputs Ladder::inputs(const Model& model, const device::DeviceInfo& device,
                           const RecordingPointer& recording, size_t axes) {
  if (libraries_.empty()) libraries_ = libraryEntries();
  const Catalogue& catalogue = *model.kernels.catalogue();
  SweepInputs in;
  in.kind = SweepKind::ladder;
  in.axes = axes;
  in.device = &device;
  in.recording = recording.get();
  if (model.entry() != nullptr) in.main.entry = model.entry();
  const compile::Bindings sizes = sizesOf(model);
  in.others = ladderKernels(catalogue, bestOfRungs(model, device, recording, sizes),
                            model.choice.tunables, {});
  if (in.others.empty()) return in;
  for (const compile::CatalogueEntry& entry : libraries_)
    if (needs(catalogue, entry.spec->reference)) in.others.push_back({&entry, {}});
  in.sizes = sizes;
  return in;
}

std::optional<lab::Experiment> Ladder::wanted(const SweepPlan& plan) {
  if (plan.kind != SweepKind::ladder) return std::nullopt;
  return counts_.wanted(plan);
}

void Ladder::accept(const worker::Reply& reply) {
  if (const auto* result = worker::resultOf(reply))
    counts_.accept(*result);
  else if (const Error* error = std::get_if<Error>(&reply.body))
    counts_.acceptError(error->message, reply.lost);
}

const std::vector<RoofTrace>& Ladder::traces(const Model& model, Sweeps& sweeps,
                                             const RecordingPointer& recording) {
  const compile::CatalogueEntry* main = model.entry();
  const device::DeviceInfo* device = model.resolved->device;
  if (main == nullptr || !isRung(*main) || device == nullptr || !device->measures) {
    tracesKey_.clear();
    traces_.clear();
    return traces_;
  }
  SweepInputs in = inputs(model, *device, recording, 0);
  in.recording = nullptr;
  std::string key = device->id + model.kernels.signature() + std::to_string(sweeps.version()) +
                    "/" + std::to_string(counts_.version()) + (recording ? "/r" : "");
  for (const SweepKernel& kernel : in.others)
    key += "/" + lab::pointText(in.sizes, kernel.tunables);
  if (key == tracesKey_) return traces_;
  tracesKey_ = key;
  traces_.clear();
  const SweepPlan plan = makeSweepPlan(in);
  SweepSamples recorded;
  if (recording) recorded = recordedSamples(plan, *recording);
  for (const SweepPoint& point : plan.points) {
    if (!point.illegal.empty()) continue;
    const auto at = recorded.find(point.key);
    const SweepSample* sample = recording ? (at == recorded.end() ? nullptr : &at->second)
                                : device->recordedOn.empty() ? sweeps.kept(plan, point)
                                                             : nullptr;
    if (sample != nullptr)
      addTraces(traces_, plan, point, *sample, counts_.find(plan.series[point.series], point));
  }
  return traces_;
}

std::shared_ptr<const LadderView> Ladder::view(const Model& model, Sweeps& sweeps,
                                               const std::shared_ptr<const SweepView>& picture,
                                               const RecordingPointer& recording,
                                               const std::string& key) {
  const device::DeviceInfo* device = model.resolved->device;
  if (device == nullptr || !picture || picture->cells.empty()) return nullptr;
  const lab::DeviceFile* known = nullptr;
  LadderInputs in;
  device::DeviceInfo sheet;
  if (!device->measures) {
    const auto at = std::ranges::find(*model.known, model.choice.roofDevice, &lab::DeviceFile::id);
    known = at == model.known->end() ? nullptr : &*at;
  }
  if (known != nullptr) {
    sheet = known->info();
    const device::Ceilings ceilings = known->ceilings();
    in.rates = ratesOf(sheet, &ceilings);
    in.ratesOrigin = "the data sheet of " + known->name;
    in.multiprocessor = known->multiprocessor;
  }
  in.sweep = picture.get();
  const std::shared_ptr<const SweepPlan> plan = picture->plan;
  in.find = [&](const SweepPoint& point) { return sweeps.known(point); };
  if (known == nullptr && device->measures) {
    // The facts about the device that was measured, now or when it was recorded.
    const Figures& figures = model.figures;
    const bool asked = figures.ceilings && figures.ceilingsOf == device->id;
    const LadderRoofs roofs = ladderRoofsOf(*plan, in.find, *device,
                                            asked ? &*figures.ceilings : nullptr, recording.get());
    in.rates = ratesOf(*device, roofs.ceilings);
    in.ratesOrigin = roofs.origin;
    in.multiprocessor = lab::multiprocessorOf(*device);
  }
  in.counts = [&](const SweepPoint& point) {
    return counts_.find(plan->series[point.series], point);
  };
  const std::string whole = key + "/" + std::to_string(counts_.version()) + "/" + in.ratesOrigin +
                            "/" + std::to_string(plan->axesAt);
  if (whole != viewKey_ || !view_ || viewOf_ != picture) {
    viewKey_ = whole;
    viewOf_ = picture;
    view_ = std::make_shared<const LadderView>(ladderViewOf(in));
  }
  return view_;
}

}  // namespace tilestep::features
