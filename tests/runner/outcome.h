// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The outcomes of tests, and their summary.
namespace tilestep::runner {

enum class Status : uint8_t { passed, skipped, failed };

struct Outcome {
  std::string title;  ///< "program: Suite.Test".
  Status status = Status::failed;
  double seconds = 0;
  std::string reason;  ///< Why it was skipped, or how its process ended; else empty.
  std::string output;  ///< Its output, if it failed or was skipped without a reason.
  std::string detail;  ///< For a skipped test: what exactly is absent.
};

/// The last line of a run: how many tests passed, were skipped and failed, with the reasons for
/// skipping, the most frequent first. `planned`: the number of tests, some of which may not have
/// run.
std::string summaryOf(const std::vector<Outcome>& outcomes, size_t planned);

/// Whether the test passed, or was skipped with a reason.
bool isGood(const Outcome& outcome);

/// A heading, and one line per test, with tabs between outcome, seconds, title, reason and detail.
std::string tableOf(const std::vector<Outcome>& outcomes);

}  // namespace tilestep::runner
