// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "lab/experiment.h"

namespace tilestep::model {

/// How one launch compares with another one of the same work. The window takes every ratio of the
/// chosen kernel and its companion from here, so that no two of its parts can disagree.
struct LaunchRatios {
  std::string subject;  ///< The kernel that is compared: "tiled".
  std::string against;  ///< The launch it is compared with: "naive in blocks of 16 × 16".
  std::string of;       ///< "m = n = k = 1024"
  /// Whether the two may be compared: they ran at the same sizes, in equal blocks or in blocks that
  /// a person chose.
  bool comparable = false;
  /// The other launch's figure ÷ this one's: bytes that lanes ask to load, sectors of loads, reads
  /// of L2 (caches cold), time (caches warm). Above 1 means that the subject needs less. Absent
  /// where a figure is unknown, or where the two may not be compared.
  std::optional<double> lanes, sectors, l2, time;
  /// The quotients with their numbers: "4.19 MB ÷ 262 kB".
  std::string lanesFormula, sectorsFormula, l2Formula, timeFormula;
  /// Why there is no ratio of times, in a sentence: what is missing, or what is not alike. Empty
  /// where there is one, and where the subject itself has no time.
  std::string missing;
  /// Says that it is unknown whether one machine took both times. Otherwise empty.
  std::string timeNote;
};

/// Compares `run` with `base`. Launches in blocks of different shapes have no ratios, because the
/// shape of a block alone changes sectors and time; with `anyBlocks` they have, for launches whose
/// blocks a person chose, and for counts of single blocks that make the same elements. Times that
/// two machines took are not compared.
[[nodiscard]] LaunchRatios ratiosOf(const lab::RunResult& base, const lab::RunResult& run,
                                    bool anyBlocks);

/// "3.2 times slower"; empty where there is no ratio of times.
[[nodiscard]] std::string timeText(const LaunchRatios& ratios);

}  // namespace tilestep::model
