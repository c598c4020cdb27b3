// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/nearest_name.h"
#include "compile/front_matter/nearest_legal.h"
#include "compile/front_matter/plan_attempt.h"
#include "compile/kernel.h"

namespace tilestep::compile {
namespace {

Error unknown(const KernelSpec& spec, const char* what, const std::string& name,
              std::vector<std::string> own, const std::vector<std::string>& others,
              const char* otherWhat) {
  std::string message = spec.name + " has no " + what + " " + name;
  if (std::find(others.begin(), others.end(), name) != others.end()) {
    return requestError(message + "; " + name + " is a " + otherWhat);
  }
  if (own.empty()) return requestError(message + "; it has none");
  const std::string nearest = nearestName(name, own);
  std::sort(own.begin(), own.end());
  return requestError(message + "; it has " + listed(own) + ". Nearest: " + nearest + ".");
}

// The values of all names, including defaults. Fails for unknown names.
Result<Bindings> bind(const KernelSpec& spec, const Bindings& sizes, const Bindings& tunables) {
  Bindings all = spec.sizes;
  std::vector<std::string> tunableNames;
  for (const TunableSpec& tunable : spec.tunables) {
    all[tunable.name] = tunable.defaultValue;
    tunableNames.push_back(tunable.name);
  }
  for (const auto& [name, value] : sizes) {
    if (!spec.sizes.count(name)) {
      return unknown(spec, "size", name, spec.sizeOrder, tunableNames, "tunable");
    }
    all[name] = value;
  }
  for (const auto& [name, value] : tunables) {
    if (std::find(tunableNames.begin(), tunableNames.end(), name) == tunableNames.end()) {
      return unknown(spec, "tunable", name, tunableNames, spec.sizeOrder, "size");
    }
    all[name] = value;
  }
  return all;
}

}  // namespace

Result<Plan> plan(const KernelSpec& spec, const Bindings& sizes, const Bindings& tunables,
                  const Limits& limits) {
  if (spec.given != nullptr) return *spec.given;
  const Result<Bindings> bindings = bind(spec, sizes, tunables);
  if (!bindings) return bindings.error();
  Planner planner(spec, limits);
  auto outcome = planner.attempt(*bindings);
  if (auto* done = std::get_if<Plan>(&outcome)) return std::move(*done);
  const Obstacle& obstacle = std::get<Obstacle>(outcome);
  std::string message = obstacle.sentence + ".";
  if (const std::string nearest = nearestLegal(planner, spec, *bindings, obstacle);
      !nearest.empty()) {
    message += " Nearest: " + nearest + ".";
  }
  return requestError(std::move(message));
}

}  // namespace tilestep::compile
