// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/figure.h"
#include "lab/experiment.h"

/// Compares a formula's prediction, the count from the PTX and the hardware's count. Pure.
namespace tilestep::lab {

struct AgreementRow {
  /// The expected relation between the values of a row.
  enum class Relation {
    equal,    ///< All values should be equal.
    atLeast,  ///< The prediction is a lower bound for the hardware.
    atMost,   ///< The prediction is an upper bound for the hardware.
  };
  enum class Match {
    unknown,  ///< Nothing to compare.
    same,     ///< Equal.
    within,   ///< Within the predicted bound.
    differs,
  };

  std::string name;  ///< The key in `counters` and `hardware`: "global_load_requests".
  Unit unit = Unit::count;
  Relation relation = Relation::equal;
  /// For occupancy, `counted` is computed from a timeline, if there is one.
  std::optional<double> predicted, counted, hardware;
  Match match = Match::unknown;
  std::string prediction;  ///< The formula of `predicted`; empty if there is none.
  std::string metric;      ///< Nsight Compute's name for `hardware`.
  std::string note;        ///< Why a difference is expected; empty if the values match.

  /// hardware ÷ predicted, for a row whose prediction is a bound.
  [[nodiscard]] std::optional<double> factor() const;
};

/// The rows with at least one known value, in a fixed order.
[[nodiscard]] std::vector<AgreementRow> compare(const RunResult& result);

[[nodiscard]] std::string toText(AgreementRow::Relation relation);
[[nodiscard]] std::string toText(AgreementRow::Match match);

}  // namespace tilestep::lab
