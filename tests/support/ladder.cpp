// SPDX-License-Identifier: Apache-2.0
#include "support/ladder.h"

#include <algorithm>

#include "base/hash.h"

namespace tilestep::support {
namespace {

std::vector<int64_t> valuesOf(const compile::TunableSpec& tunable) {
  if (!tunable.values.empty()) return tunable.values;
  std::vector<int64_t> values;
  for (int64_t v = tunable.minimum; v <= tunable.maximum; v += tunable.step) values.push_back(v);
  return values;
}

}  // namespace

std::vector<Rung> ladder(const std::string& home, std::vector<std::string>* unreadable) {
  std::vector<Rung> rungs;
  for (const compile::CatalogueEntry& entry : compile::readCatalogue(home + "/kernels")) {
    if (entry.source.path.find("/ladder/") == std::string::npos) continue;
    if (entry.spec) rungs.push_back({entry.source, *entry.spec});
    if (!entry.spec && unreadable != nullptr) unreadable->push_back(toString(*entry.error));
  }
  return rungs;
}

std::vector<std::string> ladderNames(const std::string& home) {
  std::vector<std::string> names;
  for (const Rung& rung : ladder(home)) names.push_back(rung.spec.name);
  return names;
}

std::vector<compile::Bindings> legalTunables(const compile::KernelSpec& spec, const Limits& limits,
                                             size_t count) {
  constexpr uint64_t kMostDraws = 500;
  std::vector<compile::Bindings> found;
  const auto tryOne = [&](const compile::Bindings& tunables) {
    const auto plan = compile::plan(spec, Shape{256, 256, 256}.sizes(), tunables, limits);
    if (!plan || std::find(found.begin(), found.end(), plan->tunables) != found.end()) return;
    found.push_back(plan->tunables);
  };
  tryOne({});
  uint64_t state = fnv1a64(spec.name);
  for (uint64_t draw = 0; draw < kMostDraws && found.size() < count; ++draw) {
    compile::Bindings tunables;
    for (const compile::TunableSpec& tunable : spec.tunables) {
      const std::vector<int64_t> values = valuesOf(tunable);
      tunables[tunable.name] = values[splitmix64(++state) % values.size()];
    }
    tryOne(tunables);
  }
  return found;
}

std::string toText(const compile::Bindings& sizes, const compile::Bindings& tunables) {
  std::string text;
  for (const compile::Bindings* bindings : {&sizes, &tunables}) {
    for (const auto& [name, value] : *bindings) {
      text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
    }
  }
  return text;
}

std::vector<compile::Bindings> sharingTunables(const compile::KernelSpec& spec) {
  const auto shares = [](const compile::TunableSpec& one) { return one.name == "SHARERS"; };
  if (std::ranges::none_of(spec.tunables, shares)) return {};
  std::vector<compile::Bindings> all;
  for (const int64_t sharers : {1, 3}) {
    all.push_back({{"TILE_M", 64},
                   {"TILE_N", 64},
                   {"TILE_K", 8},
                   {"ROWS", 8},
                   {"COLS", 8},
                   {"STAGES", 2},
                   {"SHARERS", sharers}});
  }
  return all;
}

std::vector<std::string> sharingNames(const std::string& home) {
  std::vector<std::string> names;
  for (const Rung& rung : ladder(home)) {
    if (!sharingTunables(rung.spec).empty()) names.push_back(rung.spec.name);
  }
  return names;
}

}  // namespace tilestep::support
