// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/ladder_plan.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/figure.h"
#include "base/library_product.h"
#include "compile/front_matter/front_matter.h"
#include "compile/front_matter/tunable_values.h"
#include "model/choice/planning.h"
#include "model/scene/traced_kernel.h"
#include "model/text/traffic.h"

namespace tilestep::features {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChosen = "chosen";

/// "double buffering" from "Ladder 9: double buffering".
std::string titleOf(const compile::KernelSpec& spec) {
  const size_t colon = spec.title.find(": ");
  if (spec.title.find("adder") > colon || colon == std::string::npos)
    return spec.title.empty() ? shortNameOf(spec.name) : spec.title;
  return spec.title.substr(colon + 2);
}

/// What distinguishes this row of a rung from its other rows: "PAD 1", "chosen".
std::string distinction(const SweepKernel& kernel) {
  if (kernel.from.name == kChosen) return kChosen;
  const compile::KernelSpec& spec = *kernel.entry->spec;
  const auto pad = padSwitchOf(spec, compile::defaultTunables(spec));
  if (!pad || kernel.tunables.at(pad->tunable) != pad->with) return {};
  return pad->tunable + " " + std::to_string(pad->with);
}

SweepKernel rungOf(const compile::CatalogueEntry& entry,
                   const std::map<std::string, KnownTunables>& known) {
  const auto best = known.find(compile::nameOf(entry.source));
  if (best != known.end()) return {&entry, best->second.tunables, best->second.from};
  return {&entry,
          compile::defaultTunables(*entry.spec),
          {"default", entry.spec->tunables.empty() ? "it has none"
                                                   : "its defaults: no search for it is known"}};
}

/// The rung with this value of `tunable`. The origin changes only if the value does.
SweepKernel withPad(SweepKernel rung, const std::string& tunable, int64_t value) {
  const bool own = rung.tunables.at(tunable) == value;
  rung.tunables[tunable] = value;
  if (own) return rung;
  const bool plain = rung.tunables == compile::defaultTunables(*rung.entry->spec);
  rung.from = {plain ? "default" : tunable + " " + std::to_string(value),
               plain ? "its defaults" : "as the rung's other row, except for " + tunable};
  return rung;
}

/// The rung with the user's tunables, if no row has them.
std::optional<SweepKernel> chosenRung(const SweepKernel& rung, const compile::Bindings& chosen,
                                      const std::vector<SweepKernel>& rows) {
  SweepKernel own{
      rung.entry, compile::defaultTunables(*rung.entry->spec), {kChosen, "chosen in this window"}};
  for (auto& [name, value] : own.tunables)
    if (const auto at = chosen.find(name); at != chosen.end()) value = at->second;
  const bool exists = std::ranges::any_of(rows, [&](const SweepKernel& row) {
    return row.entry == own.entry && row.tunables == own.tunables;
  });
  if (exists) return std::nullopt;
  return own;
}

}  // namespace

bool isRung(const compile::CatalogueEntry& entry) {
  return entry.spec && fs::path(entry.source.path).parent_path().filename() == "ladder";
}

std::string rungNumberOf(const std::string& kernel) {
  if (!kernel.starts_with("rung")) return {};
  size_t end = 4;
  while (end < kernel.size() && kernel[end] >= '0' && kernel[end] <= '9') ++end;
  const size_t first = std::min(kernel.find_first_not_of('0', 4), end);
  return kernel.substr(first, end - first);
}

std::optional<KnownTunables> fastestRecorded(const compile::CatalogueEntry& entry,
                                             const compile::Bindings& sizes,
                                             const lab::DeviceRecording& recording) {
  const auto kernel =
      std::ranges::find(recording.kernels, entry.spec->name, &lab::RecordedKernel::name);
  if (kernel == recording.kernels.end() || kernel->codeHash != lab::codeHashOf(entry.source))
    return std::nullopt;
  const auto number = static_cast<uint32_t>(kernel - recording.kernels.begin());
  const lab::RecordedPoint* best = nullptr;
  size_t points = 0;
  for (const lab::RecordedPoint& point : recording.points) {
    if (point.kernel != number || point.sizes != sizes || !point.measurement) continue;
    ++points;
    if (best == nullptr || point.measurement->medianMs < best->measurement->medianMs) best = &point;
  }
  if (best == nullptr) return std::nullopt;
  const bool plain = best->tunables == compile::defaultTunables(*entry.spec);
  const std::string of = points == 1 ? "the only ones" : "the fastest of " + grouped(points);
  return KnownTunables{
      best->tunables,
      {plain ? "default" : "best known",
       of + " that the recording has at " + sizesText(sizes) + (plain ? ", its defaults" : "")}};
}

std::optional<KnownTunables> searchedTunables(const compile::CatalogueEntry& entry,
                                              const compile::Bindings& sizes,
                                              const std::optional<lab::Tuned>& tuned,
                                              const Limits& limits) {
  if (!tuned || !compile::plan(*entry.spec, sizes, tuned->tunables, limits)) return std::nullopt;
  const std::string at = sizesText(tuned->sizes);
  const bool here = tuned->sizes == sizes;
  return KnownTunables{tuned->tunables,
                       {here ? "best known" : "best at " + at,
                        "the best of " + lab::searchedText(*tuned) + ", searched at " + at +
                            (here ? "" : ", the nearest size that was searched")}};
}

std::vector<SweepKernel> ladderKernels(const std::vector<compile::CatalogueEntry>& catalogue,
                                       const std::map<std::string, KnownTunables>& known,
                                       const std::map<std::string, compile::Bindings>& chosen,
                                       const std::vector<compile::CatalogueEntry>& libraries) {
  std::vector<const compile::CatalogueEntry*> rungs;
  for (const compile::CatalogueEntry& entry : catalogue)
    if (isRung(entry)) rungs.push_back(&entry);
  std::ranges::sort(rungs, {}, [](const auto* entry) { return compile::nameOf(entry->source); });
  std::vector<SweepKernel> kernels;
  for (const compile::CatalogueEntry* entry : rungs) {
    SweepKernel kernel = rungOf(*entry, known);
    const compile::Bindings defaults = compile::defaultTunables(*entry->spec);
    const auto pad = padSwitchOf(*entry->spec, defaults);
    if (pad && defaults.at(pad->tunable) == pad->without) {
      kernels.push_back(withPad(kernel, pad->tunable, pad->without));
      kernels.push_back(withPad(kernel, pad->tunable, pad->with));
    } else {
      kernels.push_back(kernel);
    }
    const auto own = chosen.find(compile::nameOf(entry->source));
    if (own == chosen.end() || own->second.empty()) continue;
    if (auto row = chosenRung(kernel, own->second, kernels)) kernels.push_back(std::move(*row));
  }
  for (const compile::CatalogueEntry& entry : libraries) kernels.push_back({&entry, {}});
  return kernels;
}

void planLadder(const SweepInputs& in, SweepPlan& plan) {
  plan.axes = {"linear", "logarithmic"};
  plan.axesAt = in.axes % plan.axes.size();
  plan.x.name = "the rungs";
  plan.fixed = sizesText(in.sizes);
  for (size_t i = 0; i < in.others.size(); ++i) {
    const SweepKernel& kernel = in.others[i];
    const std::string& name = kernel.entry->spec->name;
    SweepSeries series =
        seriesOf(kernel, in.main.entry != nullptr && kernel.entry == in.main.entry);
    const std::string other = distinction(kernel);
    series.from = kernel.from;
    series.name = titleOf(*kernel.entry->spec) + (other.empty() ? "" : " · " + other);
    plan.x.values.push_back(static_cast<int64_t>(i));
    plan.x.names.push_back(rungNumberOf(name));
    SweepPoint point{.series = i, .column = i, .sizes = in.sizes, .tunables = kernel.tunables};
    compile::Planner planner(*series.spec, in.device->limits);
    fillPoint(point, series, planner);
    plan.points.push_back(std::move(point));
    plan.series.push_back(std::move(series));
  }
  if (plan.points.empty()) plan.impossible = "there are no kernels in kernels/ladder";
}

}  // namespace tilestep::features
