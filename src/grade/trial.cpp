// SPDX-License-Identifier: Apache-2.0
#include "grade/trial.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/element.h"
#include "base/hash.h"
#include "base/sentence.h"
#include "compile/text/conditions.h"
#include "compile/text/directives.h"
#include "compile/text/function_choice.h"
#include "compile/text/plain_lines.h"
#include "compile/text/tunable_defines.h"
#include "grade/words.h"

namespace tilestep::grade {
namespace {

using lab::Criterion;

/// Enough even for a kernel that does all work of the launch in one thread.
constexpr uint64_t kLeastInstructions = 10'000'000;
constexpr double kInstructionsPerUnit = 20;
constexpr size_t kMostBlocksTried = 64;
constexpr size_t kTraceBytes = size_t{16} << 20;
/// A disputed launch is run in several orders, because a kernel that is wrong only in some orders
/// of its threads is wrong with every compiler.
constexpr size_t kOrdersOfDispute = 10;

uint64_t mostInstructionsFor(const HiddenLaunch& launch) {
  const double units = launch.operations + static_cast<double>(launch.elements);
  return kLeastInstructions + static_cast<uint64_t>(kInstructionsPerUnit * units);
}

/// The submission under the spec's name, so that the kernel of that name is chosen if there are
/// several.
compile::KernelSource fileOf(const Assignment& assignment, const std::string& text) {
  return {assignment.spec.kernel.name + ".cu", text, {}, {}};
}

/// The reason why a person has to choose the kernel, in a sentence: it is a template, or one of
/// several with other names. Empty if no choice is needed.
std::string choiceNeeded(const compile::KernelSource& file, const compile::KernelSpec& kernel) {
  const compile::FunctionChoice choice(file, kernel.name);
  const auto& heads = choice.kernels();
  const auto generic = std::ranges::find_if(heads, &compile::KernelHead::isTemplate);
  if (generic != heads.end())
    return "line " + std::to_string(generic->line) +
           ": The kernel is a template, and its arguments are not known.";
  const std::string name =
      kernel.entry.empty() ? kernel.name : compile::withoutArguments(kernel.entry);
  const bool named =
      std::ranges::any_of(heads, [&](const auto& head) { return compile::means(name, head); });
  if (heads.size() < 2 || named) return {};
  return "The file has " + std::to_string(heads.size()) + " kernels, and none of them is called " +
         name + ".";
}

/// Up to kMostBlocksTried blocks of the grid in order, beginning at the fraction `share` of the
/// grid.
std::vector<Dim3> blocksFrom(const Dim3& grid, double share) {
  const uint64_t all = grid.count();
  const auto first = static_cast<uint64_t>(share * static_cast<double>(all));
  std::vector<Dim3> blocks;
  for (uint64_t i = 0; i < std::min<uint64_t>(all, kMostBlocksTried); ++i) {
    const uint64_t number = (first + i) % all;
    blocks.push_back({static_cast<uint32_t>(number % grid.x),
                      static_cast<uint32_t>(number / grid.x % grid.y),
                      static_cast<uint32_t>(number / grid.x / grid.y)});
  }
  return blocks;
}

/// The last event that stored the element, if any.
std::optional<size_t> lastStore(const trace::BlockTrace& recording, uint32_t operand,
                                uint64_t byte) {
  for (size_t i = recording.size(); i-- > 0;) {
    const trace::TraceEvent event = recording.event(i);
    const bool writes =
        event.operation == trace::Operation::store || event.operation == trace::Operation::atomic;
    if (!writes || event.space != trace::Space::global ||
        event.buffer != static_cast<int16_t>(operand))
      continue;
    const bool meant = std::ranges::any_of(event.offsets, [&](uint32_t offset) {
      return byte >= offset && byte < uint64_t{offset} + event.width;
    });
    if (meant) return i;
  }
  return std::nullopt;
}

}  // namespace

bool isLate(const lab::RunResult& result) {
  return std::ranges::any_of(result.faults, [](const device::Fault& fault) {
    return fault.kind == "timeout" || fault.kind == "time-limit";
  });
}

lab::Experiment experimentFor(const Assignment& assignment, const compile::KernelSource& kernel,
                              const HiddenLaunch& launch) {
  lab::Experiment experiment;
  experiment.source = kernel;
  experiment.sizes = launch.sizes;
  experiment.tunables = launch.tunables;
  experiment.device = "simt";
  experiment.seed = launch.seed;
  experiment.order = launch.order;
  experiment.measure = false;
  experiment.check = true;
  experiment.counters = !assignment.rules.counts.empty();
  experiment.timeoutSeconds = assignment.launchSeconds;
  experiment.memoryBytes = assignment.memoryBytes;
  experiment.mostInstructions = mostInstructionsFor(launch);
  return experiment;
}

Grade gradeWithoutTrial(const Assignment& assignment, Verdict verdict, std::string reason) {
  Grade grade;
  grade.verdict = verdict;
  grade.reason = std::move(reason);
  if (verdict != Verdict::failed) grade.forStudent = shortened(grade.reason, kLongestText);
  grade.troubles = {{nameOf(verdict), shortened(grade.reason, kLongestText)}};
  const bool refused = verdict == Verdict::refused;
  const auto add = [&](std::string name, double of) {
    grade.rows.push_back({std::move(name), refused ? std::optional(0.0) : std::nullopt, of,
                          refused ? "The file is refused." : "This was not judged."});
  };
  for (size_t i = 0; i < lab::kCriteria; ++i)
    add(lab::nameOf(static_cast<Criterion>(i)), assignment.rules.marks[i]);
  for (const CountRule& rule : assignment.rules.counts) add(rule.counter, rule.marks);
  return grade;
}

Trial::Trial(const Assignment& assignment, const std::string& text) : assignment_(assignment) {
  const compile::KernelSource file = fileOf(assignment, compile::withPlainLines(text));
  if (const Status allowed = compile::checkDirectives(file.text, file.path); !allowed) {
    refused_ = lineText(allowed.error());
    return;
  }
  if (const auto doubt = compile::doubtfulCondition(file.text)) {
    unjudged_ = "line " + std::to_string(doubt->line) + ": The code depends on " + doubt->name +
                ", which nvcc or a header may define differently.";
    neverRan_ = true;
    return;
  }
  // In many courses, the submitted code defines its constants itself. It would be right without
  // that line.
  if (const Status chosen = compile::checkTunableDefines(file, assignment.spec.kernel); !chosen) {
    unjudged_ = lineText(chosen.error());
    neverRan_ = true;
    return;
  }
  Result<compile::SpecifiedKernel> kernel = compile::withSpec(file, assignment.spec);
  if (kernel) {
    kernel_ = std::move(*kernel);
  } else if (std::string needed = choiceNeeded(file, assignment.spec.kernel); !needed.empty()) {
    unjudged_ = std::move(needed);
    neverRan_ = true;
  } else {
    // Every fault of the file is the submission's own.
    Error error = kernel.error();
    error.kind = ErrorKind::request;
    take(error);
  }
}

bool Trial::launchesAreOver() const {
  return over_ || !kernel_ || !refused_.empty() || !unjudged_.empty() || !failed_.empty() ||
         done_ == assignment_.launches.size();
}

std::optional<lab::Experiment> Trial::next() const {
  if (!launchesAreOver())
    return experimentFor(assignment_, kernel_->source, assignment_.launches[done_]);
  if (!search_ || search_->tried == search_->blocks.size() || !failed_.empty()) return std::nullopt;
  lab::Experiment experiment =
      experimentFor(assignment_, kernel_->source, assignment_.launches[search_->launch]);
  experiment.check = false;
  experiment.counters = false;
  experiment.blockAlone = true;
  experiment.traceBytes = kTraceBytes;
  experiment.traceBlock = search_->blocks[search_->tried];
  return experiment;
}

void Trial::take(const lab::RunResult& result) {
  if (launchesAreOver()) return takeTrace(result);
  takeLaunch(result);
}

void Trial::takeLaunch(const lab::RunResult& result) {
  if (isLate(result)) {
    const bool hasEnded = std::ranges::none_of(result.faults, device::endsLaunch);
    unjudged_ = std::string("A launch had not ") + (hasEnded ? "been checked" : "ended") +
                " after " + std::to_string(static_cast<int>(assignment_.launchSeconds)) +
                " s; the machine may be busy.";
    late_ = true;
    return;
  }
  const size_t failedBefore = judgement_.launchesThatFailed(Criterion::result);
  judgement_.add(result);
  log_.add(shapeOf(assignment_.spec.kernel, assignment_.launches[done_]), result);
  if (!firstFailed_ && !judgement_.failures().empty()) firstFailed_ = done_;
  notePlace(result);
  const bool ended = std::ranges::none_of(result.faults, device::endsLaunch);
  // A result that depends on uninitialised memory is right by chance.
  const bool failed = judgement_.launchesThatFailed(Criterion::result) > failedBefore;
  rightOnes_ += ended && result.check && result.check->ok && !failed ? 1 : 0;
  const bool onlyResult =
      result.faults.empty() && (!result.hazards || result.hazards->empty()) && result.check;
  if (onlyResult && !result.check->ok && !firstWrong_) {
    firstWrong_ = done_;
    compiler_ = result.compiler.name;
  }
  addCounts(result);
  ++done_;
  over_ = judgement_.failed(Criterion::end) || !judgement_.unknown().empty();
}

void Trial::addCounts(const lab::RunResult& result) {
  if (!result.counters) return;
  counts_.push_back({result.counters->total, lab::uncertainNames(result.uncertain)});
  for (const lab::UncertainCounts& uncertain : result.uncertain)
    for (const std::string& counter : uncertain.counters)
      whyUncertain_.try_emplace(counter, lab::whyText(uncertain));
  // These sets depend on the source, which tunables may change.
  withoutAtomics_.insert(result.withoutAtomics.begin(), result.withoutAtomics.end());
}

void Trial::take(const Error& error) {
  if (kernel_ && launchesAreOver()) {
    // The block cannot run alone, for example because it waits for others.
    search_.reset();
    return;
  }
  over_ = true;
  // Errors without a line in the file may come from the spec or from the grader's limits.
  if (error.where && error.kind == ErrorKind::request) {
    judgement_.add(error);
    isRefused_ = true;
  } else {
    unjudged_ = lineText(error);
    late_ = error.late;
  }
}

void Trial::fail(const Error& why) {
  if (launchesAreOver()) {
    search_.reset();
    return;
  }
  failed_ = why.message;
  late_ = why.late;
}

void Trial::giveUp() {
  search_.reset();
  if (launchesAreOver()) return;
  unjudged_ = "Its launches had not ended after " +
              std::to_string(static_cast<int>(assignment_.allSeconds)) +
              " s together; the machine may be busy.";
  late_ = true;
}

/// Keeps the location of the first failure.
void Trial::notePlace(const lab::RunResult& result) {
  if (place_) return;
  if (!result.faults.empty()) {
    const device::Fault& fault = result.faults.front();
    place_ = FailurePlace{
        {}, true, static_cast<int>(fault.at.line), std::nullopt, faultName(fault.kind)};
  } else if (result.hazards && !result.hazards->empty()) {
    const device::Hazard& hazard = result.hazards->front();
    place_ = FailurePlace{{},
                          true,
                          static_cast<int>(hazard.second.line),
                          hazard.epoch,
                          hazard.kind + " in " + hazard.space + " memory"};
  } else if (result.check && result.check->firstWrong) {
    const lab::WrongElement& wrong = *result.check->firstWrong;
    place_ = FailurePlace{
        elementName(result.plan, wrong.operand, wrong.element), wrong.written, 0, std::nullopt, {}};
    if (!assignment_.findsPlaces || !wrong.written || result.plan.launches.size() != 1) return;
    const uint64_t elements = result.plan.operands[wrong.operand].elements;
    const double share = static_cast<double>(wrong.element) / static_cast<double>(elements);
    search_ = Search{done_, wrong.operand, wrong.element,
                     blocksFrom(result.plan.launches.front().grid, share), 0};
  }
}

void Trial::takeTrace(const lab::RunResult& result) {
  if (!search_) return;
  ++search_->tried;
  if (!result.trace || search_->operand >= result.plan.operands.size()) return;
  const ElementType type = result.plan.operands[search_->operand].spec.type;
  const uint64_t byte = search_->element * bytesOf(type);
  const std::optional<size_t> event = lastStore(*result.trace, search_->operand, byte);
  if (!event) return;
  place_->line = static_cast<int>(result.trace->event(*event).line);
  place_->epoch = result.trace->event(*event).epoch;
  search_.reset();
}

std::optional<lab::Experiment> Trial::disputed() const {
  const bool onlyResult = judgement_.failures() == std::set{Criterion::result};
  if (!onlyResult || !firstWrong_ || !failed_.empty() || !unjudged_.empty() || wrongElsewhere_)
    return std::nullopt;
  HiddenLaunch launch = assignment_.launches[*firstWrong_];
  if (rightElsewhere_ > 0) launch.order = (splitmix64(launch.order + rightElsewhere_) >> 1) | 1;
  return experimentFor(assignment_, kernel_->source, launch);
}

void Trial::leaveDisputeOpen(const Error& why) {
  unjudged_ = "The result is wrong with " + compiler_ +
              ", and it is not known whether it is right with clang: " + why.message;
  disagree_ = true;
  late_ = why.late;
}

void Trial::settle(const lab::RunResult& result) {
  if (isLate(result)) return leaveDisputeOpen(lateError("a launch had not ended in time"));
  wrongElsewhere_ =
      !result.check || !result.check->ok || !result.clean() || result.compiler.name == compiler_;
  if (wrongElsewhere_ || ++rightElsewhere_ < kOrdersOfDispute) return;
  unjudged_ =
      "The kernel is wrong with " + compiler_ + " and right with " + result.compiler.name + ".";
  disagree_ = true;
}

Verdict Trial::verdict() const {
  if (!refused_.empty() || isRefused_) return Verdict::refused;
  if (!failed_.empty()) return Verdict::failed;
  if (!judgement_.failures().empty() && !disagree_) return Verdict::wrong;
  if (!unjudged_.empty() || !judgement_.unknown().empty()) return Verdict::unjudged;
  return Verdict::right;
}

std::string Trial::reason() const {
  if (!refused_.empty()) return refused_;
  if (!failed_.empty()) return asSentence(failed_);
  if (disagree_) return unjudged_;
  std::string text = lab::failuresText(judgement_, assignment_.launches.size());
  const std::string unknown =
      unjudged_.empty() ? lab::unknownText(judgement_) : "It could not be judged: " + unjudged_;
  return text + (text.empty() || unknown.empty() ? "" : " ") + unknown;
}

/// The reason why a launch was not judged may reveal its sizes, so the reason is omitted.
std::string Trial::forStudent(const Grade& grade) const {
  if (grade.verdict == Verdict::failed) return {};
  if (grade.verdict == Verdict::unjudged) return neverRan_ ? unjudged_ : std::string();
  if (grade.verdict != Verdict::wrong) return grade.reason;
  const bool isWhole = unjudged_.empty() && judgement_.unknown().empty();
  return lab::failuresText(judgement_, assignment_.launches.size()) +
         (isWhole ? "" : " Not every launch could be judged.");
}

Grade Trial::grade() const {
  Grade grade;
  grade.verdict = verdict();
  grade.reason = reason();
  for (size_t i = 0; i < lab::kCriteria; ++i)
    grade.rows.push_back(rowOf(static_cast<Criterion>(i)));
  for (const CountRule& rule : assignment_.rules.counts) {
    grade.rows.push_back(rowOf(rule));
    if (const auto count = countOf(rule, counts_, assignment_.solution, assignment_.launches))
      grade.counts.push_back(*count);
    const Row& row = grade.rows.back();
    if (grade.verdict != Verdict::right || (row.marks && *row.marks >= row.of)) continue;
    if (!grade.reason.empty()) grade.reason += " ";
    grade.reason += (row.marks ? "" : "The row " + row.name + " is not judged. ") + row.why;
  }
  grade.forStudent = forStudent(grade);
  if (!judgement_.failures().empty()) grade.failedAt = firstFailed_;
  if (grade.verdict == Verdict::wrong) grade.place = place_;
  grade.troubles = troubles(grade);
  grade.reason = shortened(std::move(grade.reason), kLongestText);
  grade.forStudent = shortened(std::move(grade.forStudent), kLongestText);
  for (Row& row : grade.rows) row.why = shortened(std::move(row.why), kLongestText);
  return grade;
}

}  // namespace tilestep::grade
