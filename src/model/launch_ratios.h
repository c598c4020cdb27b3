// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/figure.h"
#include "lab/experiment.h"

/// Comparison of one launch with another one that does the same work.
namespace tilestep::model {

/// One amount of a launch and of the launch that it is compared with (the base).
struct Ratio {
  std::string name;  ///< "Sectors"
  Unit unit = Unit::count;
  std::optional<double> base, own;  ///< Absent: unknown.
  std::string hover;  ///< Definition, names in other tools, origin, and reason if uncertain.
  /// The hardware may count differently, and its own count is not known.
  bool baseIsUncertain = false, ownIsUncertain = false;
  bool comparable = true;  ///< False: the two launches are not alike enough for a ratio.

  /// base ÷ own: above 1 means that the launch needs less than the base. Absent if an amount is
  /// unknown or 0, or if the launches are not comparable.
  [[nodiscard]] std::optional<double> value() const;
  /// "16 times fewer", "3.2 times slower"; empty if there is no ratio, and for shares.
  [[nodiscard]] std::string text() const;
  /// "4.19 MB ÷ 262 kB"; empty if there is no ratio.
  [[nodiscard]] std::string formula() const;
  /// The amounts as a table shows them: "1,024", "64.0 B", "–" if unknown, "≈ 1,024" if uncertain.
  [[nodiscard]] std::string baseText() const;
  [[nodiscard]] std::string ownText() const;
};

/// The single source of all ratios of the chosen kernel and its companion, so that all parts of the
/// window agree.
struct LaunchRatios {
  std::string subject;  ///< The kernel that is compared: "tiled".
  std::string against;  ///< The launch it is compared with: "naive in blocks of 16 × 16".
  std::string of;       ///< "m = n = k = 1024"
  /// The two launches have the same sizes, and equal blocks or blocks that the user chose.
  bool comparable = false;
  /// Bytes that lanes request to load, sectors of loads, sectors read from L2 (cold caches), and
  /// time (warm caches).
  Ratio lanes{.unit = Unit::bytes}, sectors{}, l2{}, time{.unit = Unit::seconds};
  /// The reason for a missing ratio of times, in a sentence. Empty if there is one, and if the
  /// subject itself has no time.
  std::string missing;
  /// A note if it is unknown whether both times are from one machine; otherwise empty.
  std::string timeNote;
};

/// Compares `run` with `base`. Launches in blocks of different shapes have no ratios, because the
/// shape of a block alone changes sectors and time. `anyBlocks` allows them: for blocks that the
/// user chose, and for counts of single blocks that compute the same number of elements. Times from
/// two machines are not compared.
[[nodiscard]] LaunchRatios ratiosOf(const lab::RunResult& base, const lab::RunResult& run,
                                    bool anyBlocks);

}  // namespace tilestep::model
