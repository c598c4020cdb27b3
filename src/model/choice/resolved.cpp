// SPDX-License-Identifier: Apache-2.0
#include "model/choice/resolved.h"

#include <algorithm>
#include <utility>

#include "compile/front_matter/front_matter.h"
#include "lab/recording/recording.h"
#include "model/choice/planning.h"

namespace tilestep::model {
namespace {

constexpr const char* kReference = "matmul_naive";
/// The limit of shared memory per block of an H200, which the interpreter imitates
/// (assets/devices/nvidia-h200.toml).
constexpr uint32_t kImitatedShared = 232448;

bool isLaunch(const compile::CatalogueEntry& entry) {
  return entry.source.launch != nullptr;
}

/// The chosen device if it exists; otherwise the first of these that exists: a GPU that is present,
/// a recording of the kernel, the interpreter.
const device::DeviceInfo* deviceInUse(const Devices& devices, const Choice& choice,
                                      const compile::CatalogueEntry* kernel,
                                      const RecordedKernels& recorded) {
  const device::DeviceInfo *present = nullptr, *recording = nullptr;
  const bool asksRecordings = choice.device == "auto" && kernel != nullptr && !recorded.empty();
  const uint64_t code = asksRecordings ? lab::codeHashOf(kernel->source) : 0;
  for (const device::DeviceInfo& device : devices) {
    // Recordings do not contain launches of programs.
    if (!device.recordedOn.empty() && kernel != nullptr && isLaunch(*kernel)) continue;
    if (device.id == choice.device) return &device;
    if (!device.recordedOn.empty()) {
      const bool holds = asksRecordings && recorded.contains({device.id, choice.kernel, code});
      if (holds && recording == nullptr) recording = &device;
    } else if (present == nullptr || (device.measures && !present->measures)) {
      present = &device;
    }
  }
  const bool live = present != nullptr && present->measures;
  return recording != nullptr && !live ? recording : present;
}

const lab::DeviceFile* knownDevice(const Resolved& of) {
  if (of.measures() && !of.choice.whatIf) return nullptr;
  const auto at = std::ranges::find(*of.knownDevices, of.choice.roofDevice, &lab::DeviceFile::id);
  return at == of.knownDevices->end() ? nullptr : &*at;
}

Limits sceneLimitsOf(const Resolved& of) {
  if (of.isLive()) return of.device->limits;
  Limits limits;
  limits.sharedBytesPerBlockOptIn = kImitatedShared;
  return limits;
}

void planInto(std::optional<compile::Plan>& plan, std::optional<Error>& illegal,
              Result<compile::Plan> planned) {
  if (planned)
    plan = std::move(*planned);
  else
    illegal = planned.error();
}

std::vector<std::string> comparisonNamesOf(const Resolved& of) {
  std::vector<std::string> names;
  for (const compile::CatalogueEntry& entry : *of.catalogue) {
    const std::string name = compile::nameOf(entry.source);
    if (entry.spec && of.find(name) == &entry && canBeCompared(*of.entry->spec, *entry.spec))
      names.push_back(name);
  }
  return names;
}

const compile::CatalogueEntry* companionEntry(const Resolved& of) {
  const Comparison& comparison = of.choice.comparison;
  if (comparison.kernel == Comparison::kNone) return nullptr;
  if (comparison.kernel != Comparison::kUsual) {
    const compile::CatalogueEntry* chosen = of.find(comparison.kernel);
    if (chosen != nullptr && chosen->spec && canBeCompared(*of.entry->spec, *chosen->spec))
      return chosen;
  }
  return of.usualComparison(*of.entry);
}

std::optional<Companion> companionOf(const Resolved& of) {
  const compile::CatalogueEntry* entry = companionEntry(of);
  if (entry == nullptr) return std::nullopt;
  Companion companion{entry, {}, {}, {}};
  if (!of.plan) return companion;
  auto planned = compile::plan(*entry->spec, of.plan->sizes,
                               of.comparisonTunables(*entry, *of.plan, false), of.sceneLimits);
  if (!planned) {
    companion.trouble = planned.error().message;
    return companion;
  }
  companion.plan = std::move(*planned);
  const Dim3& grid = companion.plan->launches.front().grid;
  companion.block = sameBlocks(*of.plan, *companion.plan)
                        ? clampToGrid(of.block, grid)
                        : clampToGrid(of.choice.comparison.block.value_or(
                                          comparisonBlockFor(*of.plan, of.block, *companion.plan)),
                                      grid);
  return companion;
}

/// Whether the companion's chosen tunables give its blocks a different shape than they would have
/// by following the main kernel.
bool choosesBlocks(const Resolved& of) {
  const compile::CatalogueEntry* other = of.comparisonEntry();
  const std::optional<compile::Plan>& main = of.measurePlan ? of.measurePlan : of.plan;
  if (other == nullptr || !main) return false;
  if (other == of.entry) return true;
  const Limits& limits = of.measurePlan ? of.device->limits : of.sceneLimits;
  const compile::Bindings chosen = of.comparisonTunables(*other, *main, true);
  const compile::Bindings following = tunablesInBlocksOf(*other->spec, *main);
  if (chosen == following) return false;
  const auto own = compile::plan(*other->spec, main->sizes, chosen, limits);
  const auto usual = compile::plan(*other->spec, main->sizes, following, limits);
  return own && (!usual || !haveEqualBlocks(*own, *usual));
}

void resolveKernel(Resolved& of) {
  const compile::KernelSpec& spec = *of.entry->spec;
  of.tunables = tunablesOf(of.choice, spec);
  of.sceneSizes = sceneSizesOf(of.choice, spec, of.sceneLimits);
  of.measureSizes = measureSizesOf(of.choice, spec);
  of.changed = withoutBarrier(*of.entry, of.choice.withoutBarrier);
  planInto(of.plan, of.illegal, compile::plan(spec, of.sceneSizes, of.tunables, of.sceneLimits));
  if (of.plan) of.block = clampToGrid(of.choice.block, of.plan->launches.front().grid);
  if (of.device != nullptr)
    planInto(of.measurePlan, of.illegalMeasured,
             compile::plan(spec, of.measureSizes, of.tunables, of.device->limits));
  of.comparisonNames = comparisonNamesOf(of);
  of.companion = companionOf(of);
  of.blocksAreChosen = choosesBlocks(of);
  if (!of.plan) return;
  // A kernel without a phase loop is divided into phases like its companion.
  const bool byCompanion = of.plan->phaseLength == 0 && of.companion && of.companion->plan;
  of.phaseLength = phaseLengthOf(byCompanion ? *of.companion->plan : *of.plan);
}

}  // namespace

const compile::CatalogueEntry* findEntry(const Catalogue& catalogue, const std::string& name) {
  for (auto entry = catalogue.rbegin(); entry != catalogue.rend(); ++entry)
    if (compile::nameOf(entry->source) == name) return &*entry;
  return nullptr;
}

ResolvedPointer resolve(const Choice& choice, CataloguePointer catalogue, DevicesPointer devices,
                        KnownDevicesPointer known, const RecordedKernels& recorded) {
  auto made = std::make_shared<Resolved>();
  Resolved& of = *made;
  of.choice = choice;
  of.catalogue = std::move(catalogue);
  of.devices = std::move(devices);
  of.knownDevices = std::move(known);
  of.entry = of.find(choice.kernel);
  of.device = deviceInUse(*of.devices, choice, of.entry, recorded);
  of.known = knownDevice(of);
  of.sceneLimits = sceneLimitsOf(of);
  if (of.isUsable()) resolveKernel(of);
  return made;
}

std::string Resolved::tuningDevice() const {
  if (measures()) return device->name;
  if (known != nullptr) return known->name;
  return device != nullptr ? device->name : "this device";
}

const compile::CatalogueEntry* Resolved::usualComparison(
    const compile::CatalogueEntry& main) const {
  if (!main.spec || main.spec->reference != "matmul") return nullptr;
  const compile::CatalogueEntry* naive = find(kReference);
  if (naive == &main || naive == nullptr || !naive->spec) return nullptr;
  // A launch's matrices may have another type or another order.
  const bool fits = !isLaunch(main) || canBeCompared(*main.spec, *naive->spec);
  return fits ? naive : nullptr;
}

compile::Bindings Resolved::comparisonTunables(const compile::CatalogueEntry& comparison,
                                               const compile::Plan& main, bool wholeGrid) const {
  const std::string name = compile::nameOf(comparison.source);
  compile::Bindings values = wholeGrid ? tunablesInBlocksOf(*comparison.spec, main)
                                       : companionTunables(*comparison.spec, main);
  const auto chosen = choice.comparison.tunables.find(name);
  if (chosen == choice.comparison.tunables.end()) return values;
  for (auto& [tunable, value] : values)
    if (const auto own = chosen->second.find(tunable); own != chosen->second.end())
      value = own->second;
  return values;
}

std::optional<compile::KernelSource> Resolved::dataFor(const compile::CatalogueEntry& of) const {
  const bool isBesideLaunch = isUsable() && isLaunch(*entry) && !isLaunch(of);
  return isBesideLaunch ? std::optional(entry->source) : std::nullopt;
}

lab::Experiment Resolved::sceneExperiment(const compile::CatalogueEntry& of,
                                          compile::Bindings values, const Dim3& tracedBlock) const {
  lab::Experiment experiment;
  experiment.source = of.source;
  if (!isLaunch(of)) experiment.sizes = sceneSizes;
  experiment.dataOf = dataFor(of);
  experiment.tunables = std::move(values);
  // A GPU records its own execution; if it cannot, the worker falls back to the interpreter. Until
  // a GPU is known, the interpreter provides a scene at once. Only the interpreter detects races.
  const bool onGpu = isLive() && !changed;
  experiment.device = onGpu ? device->id : "simt";
  experiment.seed = kSeed;
  experiment.counters = !onGpu;  // Steps are counted from the trace.
  experiment.measure = false;
  experiment.traceBlock = tracedBlock;
  const bool large = plan && isLarge(*plan);
  experiment.check = !(large && onGpu);  // Checking everything in float64 would take too long.
  experiment.blockAlone = large && !onGpu;
  if (large) experiment.traceBytes = kLargeTraceBytes;
  if (large && onGpu) experiment.pictureSide = kOutputSide;
  return experiment;
}

lab::Experiment Resolved::measureExperiment(const compile::CatalogueEntry& of,
                                            compile::Bindings values) const {
  lab::Experiment experiment;
  experiment.source = of.source;
  if (!isLaunch(of)) experiment.sizes = measureSizes;
  experiment.tunables = std::move(values);
  experiment.device = device != nullptr ? device->id : "simt";
  experiment.seed = kSeed;
  experiment.counters = true;
  experiment.measure = measures();
  // A recording answers at once. Data that it does not contain will not arrive later.
  experiment.onlyRecorded = device != nullptr && !device->recordedOn.empty();
  experiment.hardware = experiment.onlyRecorded;
  experiment.dataOf = dataFor(of);
  // A GPU that does not answer within this time never will, but the interpreter may take longer.
  experiment.timeoutSeconds = experiment.measure ? 30 : 3600;
  return experiment;
}

std::optional<lab::Experiment> Resolved::referenceExperiment(bool whole) const {
  const compile::CatalogueEntry* naive = entry != nullptr ? usualComparison(*entry) : nullptr;
  if (naive == nullptr || !plan || changed) return std::nullopt;
  const std::optional<compile::Plan>& main = whole ? measurePlan : plan;
  if (!main) return std::nullopt;
  // One block's counts are compared only with those of a block that computes the same elements.
  const bool blockAlone = !whole && isLarge(*main) && !isLive();
  compile::Bindings values =
      blockAlone ? companionTunables(*naive->spec, *main) : tunablesInBlocksOf(*naive->spec, *main);
  const bool isCompanion =
      companion && companion->entry == naive && comparisonTunables(*naive, *main, whole) == values;
  if (isCompanion) return std::nullopt;
  if (whole) return measureExperiment(*naive, std::move(values));
  lab::Experiment experiment = sceneExperiment(*naive, std::move(values), block);
  // Only counts are needed, either of all blocks or of the block that computes the same elements.
  if (!experiment.blockAlone) experiment.traceBlock.reset();
  experiment.traceBytes = 1;
  experiment.check = false;
  return experiment;
}

}  // namespace tilestep::model
