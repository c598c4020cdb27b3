// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/expression_elements.h"

#include <algorithm>
#include <cstdlib>

namespace tilestep::compile {
namespace {

int64_t remainderFrom0(double value, int64_t divisor, ExpressionFault& fault) {
  const int64_t rest = wholeNumber(value, "count", fault) % divisor;
  return rest < 0 ? rest + std::abs(divisor) : rest;
}

}  // namespace

std::string ExpressionFault::text() const {
  switch (kind) {
    case Kind::notWhole:
      return std::string(function) + " accepts whole numbers up to 2^53";
    case Kind::zeroDivisor:
      return std::string(function) + " divides by zero";
    case Kind::negativeRoot:
      return std::string(function) + " does not accept negative numbers";
    case Kind::stopped:
      return "it was stopped";
    case Kind::none:
      break;
  }
  return {};
}

double ExpressionElements::at(double index, ExpressionFault& fault) const {
  const int64_t i = wholeNumber(index, "an element's index", fault);
  if (fault.occurred() || i < 0 || static_cast<uint64_t>(i) >= values_.size()) return 0;
  return values_[static_cast<size_t>(i)];
}

/// The range [first, end), without indices of elements that do not exist.
std::pair<size_t, size_t> ExpressionElements::range(double first, double end, const char* function,
                                                    ExpressionFault& fault) const {
  const auto size = static_cast<int64_t>(values_.size());
  const int64_t from = std::clamp<int64_t>(wholeNumber(first, function, fault), 0, size);
  const int64_t to = std::clamp<int64_t>(wholeNumber(end, function, fault), from, size);
  if (fault.occurred()) return {0, 0};
  return {static_cast<size_t>(from), static_cast<size_t>(to)};
}

void ExpressionElements::addSums(ExpressionFault& fault) {
  sums_.reserve(values_.size() + 1);
  sums_.push_back(0);
  for (const double value : values_) {
    if (!patience_->spend(fault)) return sums_.clear();
    sums_.push_back(sums_.back() + value);
  }
}

double ExpressionElements::sum(double first, double end, ExpressionFault& fault) {
  if (sums_.empty()) addSums(fault);
  if (fault.occurred()) return 0;
  const auto [from, to] = range(first, end, "sum", fault);
  return sums_[to] - sums_[from];
}

/// The best of the elements [first, end) according to `isBetter`; 0 if the range is empty.
template <class IsBetter>
double ExpressionElements::best(double first, double end, const char* function, IsBetter isBetter,
                                ExpressionFault& fault) const {
  const auto [from, to] = range(first, end, function, fault);
  if (from == to) return 0;
  double found = values_[from];
  for (size_t i = from + 1; i < to; ++i) {
    if (!patience_->spend(fault)) return 0;
    if (isBetter(values_[i], found)) found = values_[i];
  }
  return found;
}

double ExpressionElements::largest(double first, double end, ExpressionFault& fault) const {
  return best(first, end, "max", std::greater<>(), fault);
}

double ExpressionElements::smallest(double first, double end, ExpressionFault& fault) const {
  return best(first, end, "min", std::less<>(), fault);
}

/// The remainders for a divisor up to `most`; null after a fault. Caches a few tables of at most
/// 2 * `most` counts.
const ExpressionElements::Remainders* ExpressionElements::remaindersOf(int64_t divisor, size_t most,
                                                                       ExpressionFault& fault) {
  constexpr size_t kTables = 8;
  std::vector<Remainders>& tables = remainders_;
  const auto kept = std::ranges::find(tables, divisor, &Remainders::divisor);
  if (kept != tables.end()) return &*kept;
  Remainders made{divisor, std::vector<uint32_t>(static_cast<size_t>(std::abs(divisor)))};
  for (const double value : values_) {
    if (!patience_->spend(fault)) return nullptr;
    ++made.counts[static_cast<size_t>(remainderFrom0(value, divisor, fault))];
    if (fault.occurred()) return nullptr;
  }
  size_t counts = made.counts.size();
  for (const Remainders& table : tables) counts += table.counts.size();
  while (!tables.empty() && (tables.size() >= kTables || counts > 2 * most)) {
    counts -= tables.front().counts.size();
    tables.erase(tables.begin());
  }
  return &tables.emplace_back(std::move(made));
}

double ExpressionElements::count(double divisor, double remainder, ExpressionFault& fault) {
  const int64_t by = wholeDivisor(divisor, "count", fault);
  const int64_t wanted = wholeNumber(remainder, "count", fault);
  if (fault.occurred()) return 0;
  // If the table would be longer than this, the elements are counted anew each time.
  constexpr size_t kAlways = size_t{1} << 16;
  const size_t most = std::max(values_.size(), kAlways);
  if (static_cast<uint64_t>(std::abs(by)) <= most) {
    const Remainders* known = remaindersOf(by, most, fault);
    const bool isOne =
        known != nullptr && wanted >= 0 && static_cast<uint64_t>(wanted) < known->counts.size();
    return isOne ? known->counts[static_cast<size_t>(wanted)] : 0;
  }
  double counted = 0;
  for (const double value : values_) {
    if (!patience_->spend(fault)) return 0;
    counted += remainderFrom0(value, by, fault) == wanted ? 1 : 0;
    if (fault.occurred()) return 0;
  }
  return counted;
}

}  // namespace tilestep::compile
