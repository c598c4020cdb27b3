// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/figure.h"
#include "lab/experiment.h"

/// What a formula predicts, what was counted of the PTX and what the hardware counted, side by
/// side. Pure.
namespace tilestep::lab {

struct ComparisonRow {
  /// How the values of a row relate to each other.
  enum class Relation {
    equal,    ///< All should be the same number.
    atLeast,  ///< The prediction is a lower bound of the hardware's.
    atMost,   ///< The prediction is an upper bound of the hardware's.
  };
  enum class Match {
    unknown,  ///< There is nothing to compare.
    same,     ///< Equal.
    within,   ///< On the right side of the prediction.
    differs,
  };

  std::string name;  ///< As in `counters` and `hardware`: "global_load_requests".
  Unit unit = Unit::count;
  Relation relation = Relation::equal;
  /// `counted` of the occupancy is worked out from a timeline, where there is one.
  std::optional<double> predicted, counted, hardware;
  Match match = Match::unknown;
  std::string prediction;  ///< The formula of `predicted`; empty where there is none.
  std::string metric;      ///< Nsight Compute's name of `hardware`.
  std::string note;        ///< Why a difference is to be expected; empty where there is none.

  /// hardware ÷ predicted, for a row that is a bound.
  [[nodiscard]] std::optional<double> factor() const;
};

/// The rows for which anything is known, in a fixed order.
[[nodiscard]] std::vector<ComparisonRow> compare(const RunResult& result);

[[nodiscard]] std::string toText(ComparisonRow::Relation relation);
[[nodiscard]] std::string toText(ComparisonRow::Match match);

}  // namespace tilestep::lab
