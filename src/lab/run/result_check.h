// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lab/experiment.h"

/// Whether values that came from elsewhere (a worker's answer, a file) can be what somebody
/// computed. Whoever uses a result relies on these: that a block has threads, that a matrix has
/// columns and no more elements than it holds, that figures are numbers. Pure.
namespace tilestep::lab {

/// An Error that names what is impossible, or success.
Status checkResult(const RunResult& result);
/// Whether it is the result at these sizes and tunables, of which the experiment may leave some to
/// the kernel. An Error that says which is another.
Status checkAnswers(const RunResult& result, const Experiment& asked);
/// Counts that can be counted, so that sums of them are right.
Status checkCounts(const trace::Counters& counters);
/// Counts of aligned accesses that do not contradict each other: a request has at most 32 threads,
/// distinct bytes lie in sectors, bank conflicts are wavefronts, divergent branches are branches.
Status checkAgreement(const trace::Counters& counters);

}  // namespace tilestep::lab
