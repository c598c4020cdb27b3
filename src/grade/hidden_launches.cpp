// SPDX-License-Identifier: Apache-2.0
#include "grade/hidden_launches.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "base/hash.h"
#include "base/launch.h"
#include "base/printable.h"
#include "compile/front_matter/tunable_values.h"
#include "compile/text/cuda_lexer.h"
#include "lab/figures.h"

namespace tilestep::grade {
namespace {

/// The interpreter runs a textbook kernel with this much work in well under a second.
constexpr double kMostOperations = 2e6;
constexpr uint64_t kMostElements = 60'000;
/// The limit for the one launch whose indices exceed 16 bits.
constexpr uint64_t kMostElementsOfLarge = 400'000;
constexpr int64_t kMostDrawn = 100'000;  ///< The limit of one size.
constexpr int64_t kGreatestLandmark = 5'000;
constexpr size_t kAttempts = 40;  ///< Attempts for each launch to be drawn.
constexpr size_t kTunableChoices = 8;

/// Pseudorandom numbers from a seed, the same on every machine.
class Draw {
 public:
  explicit Draw(uint64_t seed) : state_(splitmix64(seed)) {}
  uint64_t next() { return state_ = splitmix64(state_); }
  /// From `first` to `last`.
  int64_t between(int64_t first, int64_t last) {
    return first + static_cast<int64_t>(next() % static_cast<uint64_t>(last - first + 1));
  }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[next() % list.size()];
  }

 private:
  uint64_t state_;
};

bool isPrime(int64_t value) {
  for (int64_t d = 2; d * d <= value; ++d)
    if (value % d == 0) return false;
  return value > 1;
}

std::optional<compile::Plan> planOf(const compile::KernelSpec& kernel,
                                    const compile::Bindings& sizes,
                                    const compile::Bindings& tunables) {
  Result<compile::Plan> plan = compile::plan(kernel, sizes, tunables, Limits{});
  if (!plan) return std::nullopt;
  return std::move(*plan);
}

uint64_t elementsOf(const compile::Plan& plan) {
  uint64_t elements = 0;
  for (const compile::ResolvedOperand& operand : plan.operands) elements += operand.elements;
  return elements;
}

/// Numbers by which a kernel divides its work: widths of blocks, threads per block, tunables.
std::vector<int64_t> landmarksOf(const compile::Plan& plan) {
  std::set<int64_t> found;
  for (const Launch& launch : plan.launches)
    for (const uint64_t side : {uint64_t{launch.block.x}, uint64_t{launch.block.y},
                                uint64_t{launch.block.z}, launch.block.count()})
      found.insert(static_cast<int64_t>(side));
  found.insert(plan.elementsPerBlock);
  for (const auto& [name, value] : plan.tunables) found.insert(value);
  std::erase_if(found, [](int64_t value) { return value < 2 || value > kGreatestLandmark; });
  if (found.empty()) found.insert(32);
  return {found.begin(), found.end()};
}

/// An order whose highest bit is clear, so that all blocks may be resident.
uint64_t orderOf(uint64_t bits) {
  return (bits >> 1) | 1;
}

int64_t firstValue(const compile::TunableSpec& tunable) {
  return tunable.values.empty() ? tunable.minimum : tunable.values.front();
}

bool areDefaults(const compile::KernelSpec& kernel, const compile::Bindings& tunables) {
  return std::ranges::all_of(kernel.tunables, [&](const compile::TunableSpec& tunable) {
    const auto at = tunables.find(tunable.name);
    return at == tunables.end() || at->second == tunable.defaultValue;
  });
}

/// Whether a legal launch has more blocks than any GPU can hold at once. Then no block may wait for
/// all others.
bool outgrowsGpus(const compile::KernelSpec& kernel) {
  constexpr uint64_t kMany = 10'000;  // The largest GPUs hold about 5,000.
  constexpr int64_t kLargest = 2'000'000'000;
  compile::Bindings usual, smallest;
  for (const compile::TunableSpec& tunable : kernel.tunables)
    smallest[tunable.name] = firstValue(tunable);
  for (const compile::Bindings& tunables : {usual, smallest})
    for (int64_t size = kLargest; size > 0; size /= 2) {  // Rules may forbid the largest sizes.
      compile::Bindings sizes;
      for (const auto& [name, value] : kernel.sizes) sizes[name] = size;
      const std::optional<compile::Plan> plan = planOf(kernel, sizes, tunables);
      if (plan && std::ranges::any_of(plan->launches, [](const Launch& launch) {
            return launch.grid.count() > kMany && !launch.cooperative;
          }))
        return true;
    }
  return false;
}

/// Draws sizes of one kernel.
class SizeDraw {
 public:
  SizeDraw(const compile::KernelSpec& kernel, int64_t largest, Draw& draw)
      : kernel_(kernel),
        largest_(largest > 0 ? std::min(largest, kMostDrawn) : kMostDrawn),
        draw_(draw) {
    for (const auto& [name, value] : lab::orderedSizes(kernel.sizes)) names_.push_back(name);
  }

  /// The number of kinds of launches: the mixed kinds, one large launch, and for each size one
  /// launch in which that size is long.
  [[nodiscard]] size_t kinds() const { return kMixedKinds + names_.size() + 1; }

  /// A launch of this kind; absent if the drawn launch is not legal.
  std::optional<HiddenLaunch> launch(size_t kind, const compile::Bindings& tunables) {
    const std::optional<compile::Plan> usual = planOf(kernel_, {}, tunables);
    const std::vector<int64_t> landmarks = usual ? landmarksOf(*usual) : std::vector<int64_t>{32};
    const size_t odd = names_.empty() ? 0 : draw_.next() % names_.size();
    const bool isLarge = kind == kMixedKinds;
    compile::Bindings sizes;
    for (size_t i = 0; i < names_.size(); ++i)
      sizes[names_[i]] = within(isLarge              ? large(i == odd)
                                : kind < kMixedKinds ? sizeOf(kind, i == odd, draw_.of(landmarks))
                                                     : longOrShort(i == kind - kMixedKinds - 1));
    return smallEnough(std::move(sizes), tunables, isLarge ? kMostElementsOfLarge : kMostElements);
  }

  /// A launch with several blocks in each direction and the default tunables. Its tiles save much
  /// more traffic than its edges waste.
  std::optional<HiddenLaunch> launchForCounts() {
    constexpr int64_t kLeastBlock = 8;
    const std::optional<compile::Plan> usual = planOf(kernel_, {}, {});
    if (!usual) return std::nullopt;
    const std::vector<int64_t> landmarks = landmarksOf(*usual);
    const auto block = std::ranges::lower_bound(landmarks, kLeastBlock);
    const int64_t side = block == landmarks.end() ? kLeastBlock : *block;
    compile::Bindings sizes;
    for (const std::string& name : names_) sizes[name] = within(5 * side + draw_.between(1, side));
    return smallEnough(std::move(sizes), {}, kMostElements);
  }

 private:
  static constexpr size_t kMixedKinds = 7;

  int64_t within(int64_t size) const { return std::clamp<int64_t>(size, 1, largest_); }

  /// `odd`: whether this size differs from the others.
  int64_t sizeOf(size_t kind, bool odd, int64_t landmark) {
    const int64_t times = draw_.between(1, 3);
    switch (kind) {
      case 0:
        return landmark * times + (odd ? 1 : draw_.between(0, 1));
      case 1:
        return landmark * times - (odd ? 1 : draw_.between(0, 1));
      case 2:
        return prime(landmark * times);
      case 3:
        return odd ? 1 : landmark + draw_.between(1, landmark);
      case 4:
        return landmark * times;
      case 5:
        return odd ? landmark * (4 + times) + draw_.between(1, landmark - 1)
                   : draw_.between(2, landmark);
      default:
        return 1;
    }
  }

  int64_t longOrShort(bool isLong) {
    return isLong ? draw_.between(257, 1200) : draw_.between(2, 9);
  }

  /// Draws sizes whose product exceeds 2^16. If there are three or more sizes, one stays short.
  int64_t large(bool odd) {
    if (names_.size() == 1) return draw_.between(66'000, 80'000);
    return odd && names_.size() > 2 ? draw_.between(2, 9) : draw_.between(260, 330);
  }

  int64_t prime(int64_t about) {
    int64_t value = std::max<int64_t>(2, about + draw_.between(1, 7));
    while (!isPrime(value)) ++value;
    return value;
  }

  /// The launch with its largest size halved until its work is within the limits.
  std::optional<HiddenLaunch> smallEnough(compile::Bindings sizes,
                                          const compile::Bindings& tunables,
                                          uint64_t mostElements) {
    while (true) {
      const std::optional<compile::Plan> plan = planOf(kernel_, sizes, tunables);
      if (!plan) return std::nullopt;
      const uint64_t elements = elementsOf(*plan);
      if (plan->operations <= kMostOperations && elements <= mostElements)
        return HiddenLaunch{plan->sizes,
                            plan->tunables,
                            draw_.next(),
                            orderOf(draw_.next()),
                            plan->operations,
                            elements,
                            areDefaults(kernel_, plan->tunables)};
      const auto greatest =
          std::ranges::max_element(sizes, {}, [](const auto& size) { return size.second; });
      if (greatest == sizes.end() || greatest->second <= 1) return std::nullopt;
      greatest->second = (greatest->second + 1) / 2;
    }
  }

  const compile::KernelSpec& kernel_;
  int64_t largest_;
  Draw& draw_;
  std::vector<std::string> names_;
};

using ValueOf = std::function<int64_t(const compile::TunableSpec&)>;

/// The default tunables, the greatest values, the least values, and drawn values. Illegal
/// combinations are omitted.
std::vector<compile::Bindings> tunableChoices(const compile::KernelSpec& kernel, Draw& draw) {
  std::vector<compile::Bindings> choices{{}};  // The defaults.
  const auto add = [&](const ValueOf& value) {
    compile::Bindings choice;
    for (const compile::TunableSpec& tunable : kernel.tunables)
      choice[tunable.name] = value(tunable);
    const bool isDefault = std::ranges::all_of(kernel.tunables, [&](const auto& tunable) {
      return choice.at(tunable.name) == tunable.defaultValue;
    });
    const bool isNew = !isDefault && std::ranges::find(choices, choice) == choices.end();
    if (isNew && planOf(kernel, {}, choice)) choices.push_back(std::move(choice));
  };
  if (kernel.tunables.empty()) return choices;
  add([](const compile::TunableSpec& tunable) { return compile::lastValue(tunable); });
  add([](const compile::TunableSpec& tunable) { return firstValue(tunable); });
  for (size_t i = 0; i < kAttempts && choices.size() < kTunableChoices; ++i)
    add([&](const compile::TunableSpec& tunable) {
      const int64_t steps = draw.between(0, compile::valueCount(tunable) - 1);
      return tunable.values.empty() ? tunable.minimum + steps * tunable.step
                                    : tunable.values[static_cast<size_t>(steps)];
    });
  return choices;
}

/// The number of blocks of the largest grid.
uint64_t blocksOf(const compile::KernelSpec& kernel, const HiddenLaunch& launch) {
  uint64_t most = 0;
  if (const auto plan = planOf(kernel, launch.sizes, launch.tunables))
    for (const Launch& one : plan->launches) most = std::max(most, one.grid.count());
  return most;
}

/// A launch that the rules name. It is known to be legal.
HiddenLaunch named(const compile::KernelSpec& kernel, const compile::LaunchChoice& choice,
                   Draw& draw) {
  HiddenLaunch launch{choice.sizes,
                      choice.tunables,
                      draw.next(),
                      orderOf(draw.next()),
                      0,
                      0,
                      areDefaults(kernel, choice.tunables)};
  if (const auto plan = planOf(kernel, choice.sizes, choice.tunables)) {
    launch.sizes = plan->sizes;
    launch.tunables = plan->tunables;
    launch.operations = plan->operations;
    launch.elements = elementsOf(*plan);
  }
  return launch;
}

}  // namespace

Result<std::vector<HiddenLaunch>> hiddenLaunches(const compile::KernelSpec& kernel,
                                                 const Rules& rules, uint64_t seed) {
  Draw draw(seed);
  std::vector<HiddenLaunch> launches;
  for (const compile::LaunchChoice& choice : rules.launches)
    launches.push_back(named(kernel, choice, draw));
  const std::vector<compile::Bindings> tunables = tunableChoices(kernel, draw);
  SizeDraw sizes(kernel, rules.largest, draw);
  const size_t wanted = launches.size() + rules.drawn;
  if (!rules.counts.empty() && rules.drawn > 0)
    if (const std::optional<HiddenLaunch> launch = sizes.launchForCounts())
      launches.push_back(*launch);
  const bool outgrows = outgrowsGpus(kernel);
  for (size_t i = 0; launches.size() < wanted && i < rules.drawn * kAttempts; ++i) {
    // Uses each choice in turn, with a different kind of launch in each round.
    const compile::Bindings& choice = tunables[(i + i / sizes.kinds()) % tunables.size()];
    const std::optional<HiddenLaunch> launch = sizes.launch(i % sizes.kinds(), choice);
    if (!launch) continue;
    const bool isNew = std::ranges::none_of(launches, [&](const HiddenLaunch& other) {
      return other.sizes == launch->sizes && other.tunables == launch->tunables;
    });
    if (!isNew) continue;
    launches.push_back(*launch);
    if (outgrows && launches.size() % 4 == 0) launches.back().order |= uint64_t{1} << 63;
  }
  const auto blocks = [&](const HiddenLaunch& launch) { return blocksOf(kernel, launch); };
  const auto largest = std::ranges::max_element(launches, {}, blocks);
  if (outgrows && largest != launches.end()) largest->order |= uint64_t{1} << 63;
  if (rules.drawn > 0 && launches.size() == rules.launches.size())
    return requestError("no launch could be drawn that the rules of " + kernel.name +
                        " allow; name some with [grading] launches = [{ … }]");
  return launches;
}

bool hidesResults(const compile::KernelSpec& kernel) {
  std::set<std::string_view> hidden;
  for (const compile::OperandSpec& operand : kernel.operands)
    if (compile::isInput(operand) && (operand.fill == Fill::random || operand.fill == Fill::wide))
      hidden.insert(operand.name);
  const auto names = [&](const compile::OperandSpec& operand) {
    return std::ranges::any_of(compile::cudaTokens(operand.expect),
                               [&](const auto& token) { return hidden.contains(token.text); });
  };
  return !hidden.empty() &&
         (!kernel.reference.empty() || std::ranges::any_of(kernel.operands, names));
}

std::string toText(const HiddenLaunch& launch) {
  std::string text;
  const auto add = [&](const std::string& name, int64_t value) {
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  };
  for (const auto& [name, value] : lab::orderedSizes(launch.sizes)) add(name, value);
  for (const auto& [name, value] : launch.tunables) add(name, value);
  return text;
}

std::string commandFor(const std::string& file, const std::string& spec,
                       const HiddenLaunch& launch) {
  std::string text =
      "tilestep run " + shellWord(file) + " --spec " + shellWord(spec) + " --check --device simt";
  for (const auto& [name, value] : lab::orderedSizes(launch.sizes))
    text += " --size " + name + "=" + std::to_string(value);
  for (const auto& [name, value] : launch.tunables)
    text += " --set " + name + "=" + std::to_string(value);
  return text + " --seed " + std::to_string(launch.seed) + " --order " +
         std::to_string(launch.order);
}

}  // namespace tilestep::grade
