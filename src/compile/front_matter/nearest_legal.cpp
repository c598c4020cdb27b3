// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/nearest_legal.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/nearest_name.h"
#include "compile/front_matter/tunable_values.h"

namespace tilestep::compile {
namespace {

/// For each tunable; half of the values are on each side of the requested value.
constexpr size_t kMostTries = 2048;
constexpr size_t kMostOffers = 3;
constexpr int64_t kStepsToDefaults = 64;

class Search {
 public:
  Search(Planner& planner, const KernelSpec& spec, const Bindings& asked)
      : planner_(planner), spec_(spec), asked_(asked) {}

  [[nodiscard]] std::optional<int64_t> tunable(const TunableSpec& tunable) {
    if (isSpent()) return std::nullopt;
    for (const int64_t value : outward(tunable)) {
      if (passes({tunable.name}, value)) return value;
      if (isSpent()) break;
    }
    return std::nullopt;
  }

  // The largest legal value for these sizes that is at most the requested value. Assumes that all
  // smaller values are legal, too.
  [[nodiscard]] std::optional<int64_t> sizes(const std::vector<std::string>& names) {
    int64_t high = std::min(asked_.at(names[0]), kLargestSize + 1);
    int64_t low = 1;
    if (!passes(names, low)) return std::nullopt;
    while (high - low > 1) {
      const int64_t middle = low + (high - low) / 2;
      (passes(names, middle) ? low : high) = middle;
    }
    return low;
  }

  // The first legal point on the straight line from the request to the defaults, for requests that
  // cannot be made legal by changing one name.
  [[nodiscard]] std::optional<Bindings> towardsDefaults() {
    for (int64_t step = kStepsToDefaults - 1; step >= 0; --step) {
      Bindings trial = asked_;
      for (const TunableSpec& tunable : spec_.tunables) {
        int64_t& value = trial[tunable.name];
        value = nearestValue(tunable, between(tunable.defaultValue, value, step));
      }
      for (const auto& [name, fallback] : spec_.sizes) {
        trial[name] = between(fallback, trial[name], step);
      }
      if (passes(trial)) return trial;
    }
    return std::nullopt;
  }

 private:
  /// Does not limit towardsDefaults(), which makes only a few attempts.
  [[nodiscard]] bool isSpent() const { return planner_.work() - before_ >= kMostWork; }

  [[nodiscard]] bool passes(const Bindings& trial) {
    return std::holds_alternative<Plan>(planner_.attempt(trial));
  }

  [[nodiscard]] bool passes(const std::vector<std::string>& names, int64_t value) {
    if (isSpent()) return false;
    Bindings trial = asked_;
    for (const std::string& name : names) trial[name] = value;
    return passes(trial);
  }

  // The point `step` / kStepsToDefaults of the way from `start` to `end`, without overflow.
  static int64_t between(int64_t start, int64_t end, int64_t step) {
    end = std::clamp(end, -kLargestSize, kLargestSize);
    return start + (end - start) * step / kStepsToDefaults;
  }

  // The values of a tunable, sorted by their distance to the requested value.
  [[nodiscard]] std::vector<int64_t> outward(const TunableSpec& tunable) const {
    const int64_t asked = asked_.at(tunable.name);
    std::vector<int64_t> values = tunable.values;
    if (values.empty()) {
      const int64_t span = tunable.step * static_cast<int64_t>(kMostTries / 2);
      const int64_t middle = std::clamp(asked, tunable.minimum, tunable.maximum);
      const int64_t start =
          std::max(tunable.minimum, middle - (middle - tunable.minimum) % tunable.step - span);
      const int64_t end = std::min(tunable.maximum, middle + span);
      for (int64_t value = start; value <= end; value += tunable.step) values.push_back(value);
    }
    std::stable_sort(values.begin(), values.end(), [asked](int64_t a, int64_t b) {
      return distance(a, asked) < distance(b, asked);
    });
    return values;
  }

  static uint64_t distance(int64_t a, int64_t b) {
    return a < b ? static_cast<uint64_t>(b) - static_cast<uint64_t>(a)
                 : static_cast<uint64_t>(a) - static_cast<uint64_t>(b);
  }

  Planner& planner_;
  const KernelSpec& spec_;
  const Bindings& asked_;
  const size_t before_ = planner_.work();
};

// Sizes with the same value form a group and change together, because --size S sets several sizes.
std::vector<std::vector<std::string>> sizeGroups(const KernelSpec& spec, const Bindings& asked,
                                                 bool changedOnly) {
  std::vector<std::vector<std::string>> groups;
  for (const std::string& name : spec.sizeOrder) {
    const int64_t value = asked.at(name);
    if (changedOnly && value == spec.sizes.at(name)) continue;
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& group) { return asked.at(group[0]) == value; });
    same == groups.end() ? groups.push_back({name}) : same->push_back(name);
  }
  return groups;
}

std::string assignment(const std::vector<std::string>& names, int64_t value) {
  std::string text;
  for (const std::string& name : names) text += name + " = ";
  return text + std::to_string(value);
}

std::vector<std::string> offers(Search& search, const KernelSpec& spec, const Bindings& asked,
                                bool changedOnly) {
  std::vector<std::string> found;
  for (const TunableSpec& tunable : spec.tunables) {
    if (changedOnly && asked.at(tunable.name) == tunable.defaultValue) continue;
    if (const auto value = search.tunable(tunable)) {
      found.push_back(assignment({tunable.name}, *value));
    }
  }
  for (const auto& group : sizeGroups(spec, asked, changedOnly)) {
    if (const auto value = search.sizes(group)) found.push_back(assignment(group, *value));
  }
  return found;
}

// The names that have to change: "TILE_M = 90 and TILE_K = 60".
std::string together(Search& search, const KernelSpec& spec, const Bindings& asked) {
  const std::optional<Bindings> found = search.towardsDefaults();
  if (!found) return {};
  std::vector<std::string> order;
  for (const TunableSpec& tunable : spec.tunables) order.push_back(tunable.name);
  order.insert(order.end(), spec.sizeOrder.begin(), spec.sizeOrder.end());
  std::vector<std::string> moved;
  for (const std::string& name : order) {
    if (found->at(name) != asked.at(name)) moved.push_back(assignment({name}, found->at(name)));
  }
  return listed(moved);
}

std::string inOwnRange(Search& search, const KernelSpec& spec, const std::string& name) {
  std::optional<int64_t> value;
  for (const TunableSpec& tunable : spec.tunables) {
    if (tunable.name == name) value = search.tunable(tunable);
  }
  if (spec.sizes.count(name)) value = search.sizes({name});
  return value ? std::to_string(*value) : std::string();
}

}  // namespace

std::string nearestLegal(Planner& planner, const KernelSpec& spec, const Bindings& asked,
                         const Obstacle& obstacle) {
  if (!obstacle.adjustable) return {};
  Search search(planner, spec, asked);
  if (!obstacle.name.empty()) {
    if (std::string value = inOwnRange(search, spec, obstacle.name); !value.empty()) return value;
  }
  std::vector<std::string> found = offers(search, spec, asked, true);
  if (found.empty()) found = offers(search, spec, asked, false);
  if (found.empty()) return together(search, spec, asked);
  std::string text;
  for (size_t i = 0; i < std::min(found.size(), kMostOffers); ++i) {
    text += (i ? " or " : "") + found[i];
  }
  return text;
}

}  // namespace tilestep::compile
