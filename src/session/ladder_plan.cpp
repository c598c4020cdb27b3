// SPDX-License-Identifier: Apache-2.0
#include "session/ladder_plan.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/library_product.h"
#include "compile/front_matter.h"
#include "session/planning.h"
#include "session/side.h"
#include "session/traffic.h"

namespace tilestep::session {
namespace {

namespace fs = std::filesystem;

compile::Bindings defaultsOf(const compile::KernelSpec& spec) {
  compile::Bindings tunables;
  for (const compile::TunableSpec& tunable : spec.tunables)
    tunables[tunable.name] = tunable.defaultValue;
  return tunables;
}

/// "double buffering" of "Ladder 9: double buffering".
std::string titleOf(const compile::KernelSpec& spec) {
  const size_t colon = spec.title.find(": ");
  if (spec.title.find("adder") > colon || colon == std::string::npos)
    return spec.title.empty() ? shortNameOf(spec.name) : spec.title;
  return spec.title.substr(colon + 2);
}

/// Tunables that are not the file's own: "PAD 1".
std::string differences(const SweepKernel& kernel) {
  std::string text;
  for (const compile::TunableSpec& tunable : kernel.entry->spec->tunables) {
    const int64_t value = kernel.tunables.at(tunable.name);
    if (value != tunable.defaultValue)
      text += (text.empty() ? "" : ", ") + tunable.name + " " + std::to_string(value);
  }
  return text;
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

std::vector<SweepKernel> ladderKernels(const std::vector<compile::CatalogueEntry>& catalogue,
                                       const std::map<std::string, compile::Bindings>& chosen,
                                       const std::vector<compile::CatalogueEntry>& libraries) {
  std::vector<const compile::CatalogueEntry*> rungs;
  for (const compile::CatalogueEntry& entry : catalogue)
    if (isRung(entry)) rungs.push_back(&entry);
  std::ranges::sort(rungs, {},
                    [](const auto* entry) { return compile::stemOf(entry->source.path); });
  std::vector<SweepKernel> kernels;
  for (const compile::CatalogueEntry* entry : rungs) {
    SweepKernel kernel{entry, defaultsOf(*entry->spec)};
    const compile::Bindings defaults = kernel.tunables;
    if (const auto own = chosen.find(compile::stemOf(entry->source.path)); own != chosen.end())
      for (auto& [name, value] : kernel.tunables)
        if (const auto at = own->second.find(name); at != own->second.end()) value = at->second;
    const auto pad = padSwitchOf(*entry->spec, defaults);
    kernels.push_back(kernel);
    const bool both = pad && defaults.at(pad->tunable) == pad->without;
    if (!both) continue;
    kernels.back().tunables[pad->tunable] = pad->without;
    kernel.tunables[pad->tunable] = pad->with;
    kernels.push_back(std::move(kernel));
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
    const std::string other = differences(kernel);
    series.name = titleOf(*kernel.entry->spec) + (other.empty() ? "" : " · " + other);
    plan.x.values.push_back(static_cast<int64_t>(i));
    plan.x.names.push_back(rungNumberOf(name));
    SweepPoint point{i, i, 0, in.sizes, kernel.tunables, {}, {}, 0, 0, 0, 0, 0, 0};
    fillPoint(point, series, in.device->limits);
    plan.points.push_back(std::move(point));
    plan.series.push_back(std::move(series));
  }
  if (plan.points.empty()) plan.impossible = "there are no kernels in kernels/ladder";
}

}  // namespace tilestep::session
