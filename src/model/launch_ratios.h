// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/figure.h"
#include "lab/experiment.h"

/// How one launch compares with another one of the same work.
namespace tilestep::model {

/// One amount of a launch, and of the launch that it is compared with (the base).
struct Ratio {
  std::string name;  ///< "Sectors"
  Unit unit = Unit::count;
  std::optional<double> base, own;  ///< Absent: unknown.
  std::string hover;  ///< Definition, other tools' names for it, origin, and why it is uncertain.
  /// The hardware may count otherwise, and its own count is not known.
  bool baseIsUncertain = false, ownIsUncertain = false;
  bool comparable = true;  ///< False: the two launches are not alike enough for a ratio.

  /// base ÷ own: above 1 means that the launch needs less than the base. Absent where an amount is
  /// unknown or 0, or where the launches are not comparable.
  [[nodiscard]] std::optional<double> value() const;
  /// "16 times fewer", "3.2 times slower"; empty where there is no ratio, and for shares.
  [[nodiscard]] std::string text() const;
  /// "4.19 MB ÷ 262 kB"; empty where there is no ratio.
  [[nodiscard]] std::string formula() const;
  /// The amounts as a table shows them: "1,024", "64.0 B", "–" where unknown, "≈ 1,024" where
  /// uncertain.
  [[nodiscard]] std::string baseText() const;
  [[nodiscard]] std::string ownText() const;
};

/// Every ratio of the chosen kernel and its companion comes from here, so that no two parts of the
/// window can disagree.
struct LaunchRatios {
  std::string subject;  ///< The kernel that is compared: "tiled".
  std::string against;  ///< The launch it is compared with: "naive in blocks of 16 × 16".
  std::string of;       ///< "m = n = k = 1024"
  /// The two launches have the same sizes, and equal blocks or blocks that a person chose.
  bool comparable = false;
  /// Bytes that lanes ask to load, sectors of loads, sectors read from L2 (caches cold), and time
  /// (caches warm).
  Ratio lanes{.unit = Unit::bytes}, sectors{}, l2{}, time{.unit = Unit::seconds};
  /// Why there is no ratio of times, in a sentence. Empty where there is one, and where the subject
  /// itself has no time.
  std::string missing;
  /// Says that it is unknown whether one machine took both times. Otherwise empty.
  std::string timeNote;
};

/// Compares `run` with `base`. Launches in blocks of different shapes have no ratios, because the
/// shape of a block alone changes sectors and time. `anyBlocks` allows them: for launches whose
/// blocks a person chose, and for counts of single blocks that make the same elements. Times that
/// two machines took are not compared.
[[nodiscard]] LaunchRatios ratiosOf(const lab::RunResult& base, const lab::RunResult& run,
                                    bool anyBlocks);

}  // namespace tilestep::model
