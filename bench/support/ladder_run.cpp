// SPDX-License-Identifier: Apache-2.0
#include "support/ladder_run.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/library_product.h"
#include "lab/recording/recording.h"

namespace tilestep::bench {
namespace {

/// A rung that would run so long is left out: at 8192 the slowest take seconds a run.
constexpr double kTooLongMs = 400;
/// Longer than this, and it is measured as a slider does: enough samples would take too long.
constexpr double kLongMs = 95;
/// So many rungs from one measurement of the references to the next.
constexpr size_t kRungsBetween = 7;

/// The product that a rung's share is of; one for each precision.
std::string referenceOf(const compile::KernelSpec& spec) {
  return std::string(spec.reference == "matmul_tf32" ? kCublasTf32 : kCublasFp32);
}

std::string print(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Elements that are wrong, in a sentence; empty: none is.
std::string complaint(const lab::RunResult& result) {
  if (!result.faults.empty()) return result.faults.front().message;
  if (!result.check || result.check->ok) return "";
  const lab::Check& check = *result.check;
  if (check.unwritten > 0) return std::to_string(check.unwritten) + " elements were not written";
  if (check.nonFinite > 0) return std::to_string(check.nonFinite) + " elements are no numbers";
  return "its scaled error is " + print("%.2e", check.scaledError) + "; right is up to " +
         print("%.2e", check.bound);
}

}  // namespace

LadderRun::LadderRun(LadderPlan plan, LadderTools tools)
    : plan_(std::move(plan)), tools_(std::move(tools)) {}

std::vector<LadderRow> LadderRun::at(const ProductSize& size) {
  size_ = size;
  marks_.clear();
  right_.clear();
  std::vector<LadderRow> rungs;
  for (size_t i = 0; i < plan_.rungs.size(); ++i) {
    const std::string precision = referenceOf(plan_.rungs[i].spec);
    if (i == 0 || precision != referenceOf(plan_.rungs[i - 1].spec)) mark(precision, i);
    rungs.push_back(measured(plan_.rungs[i], false));
    tell(rungs.back());
    const size_t done = i + 1;
    const bool last =
        done == plan_.rungs.size() || precision != referenceOf(plan_.rungs[done].spec);
    if (last || done % kRungsBetween == 0) mark(precision, done);
  }
  for (size_t i = 0; i < rungs.size(); ++i) setReferences(rungs[i], i);
  std::vector<LadderRow> rows = referenceRows();
  rows.insert(rows.end(), rungs.begin(), rungs.end());
  return rows;
}

void LadderRun::mark(const std::string& precision, size_t behind) {
  for (const Rung& reference : plan_.references) {
    if (referenceOf(reference.spec) != precision) continue;
    LadderRow row = measured(reference, true);
    tell(row);
    marks_.push_back({behind, std::move(row)});
  }
}

lab::Experiment LadderRun::experimentOf(const Rung& rung, const compile::Bindings& tunables,
                                        double predictedMs) const {
  lab::Experiment experiment;
  experiment.source = rung.source;
  experiment.sizes = size_.bindings();
  experiment.tunables = tunables;
  experiment.device = plan_.device;
  experiment.seed = plan_.seed;
  experiment.thorough = !plan_.quick && predictedMs < kLongMs;
  return experiment;
}

double LadderRun::predictedMs(const std::string& kernel) const {
  const auto rate = flopPerMs_.find(kernel);
  return rate == flopPerMs_.end() ? 0 : size_.operations() / rate->second;
}

LadderRow LadderRun::measured(const Rung& rung, bool isReference) {
  LadderRow row;
  row.kernel = rung.spec.name;
  row.title = rung.spec.title;
  row.reference = referenceOf(rung.spec);
  row.isReference = isReference;
  row.size = size_;
  if (!isReference) row.code = lab::codeHashOf(rung.source);
  const Tuned tuned = isReference ? Tuned{} : tools_.tunables(rung, size_);
  row.tunables = tuned.tunables;
  row.tunablesFrom = tuned.from;
  const double predicted = predictedMs(rung.spec.name);
  if (predicted > kTooLongMs) {
    row.note =
        "left out: at its rate so far one run would take about " + print("%.1f s", predicted / 1e3);
    return row;
  }
  const lab::Experiment experiment = experimentOf(rung, tuned.tunables, predicted);
  Result<lab::RunResult> result = tools_.run(experiment);
  if (result) {
    fill(row, experiment, std::move(*result));
  } else {
    row.note = "not measured: " + result.error().message;
  }
  return row;
}

void LadderRun::fill(LadderRow& row, const lab::Experiment& experiment, lab::RunResult result) {
  row.tunables = result.plan.tunables;
  row.registers = result.registers;
  row.localBytes = result.localBytes;
  row.outputHash = result.outputHash;
  row.measurement = result.measurement;
  (row.isReference ? library_ : compiler_) = result.compiler.name + " " + result.compiler.version;
  const Status checked = check(row, experiment, result);
  if (!checked && row.note.empty()) row.note = checked.error().message;
  row.wrong = !checked;
  if (const auto tflops = row.tflops()) flopPerMs_[row.kernel] = *tflops * 1e9;
}

/// Comparing takes the host a second: an output that is bit for bit one that was right is right.
Status LadderRun::check(LadderRow& row, lab::Experiment experiment, const lab::RunResult& result) {
  if (const std::string what = complaint(result); !what.empty()) return workError(what);
  const std::pair key(row.reference, result.outputHash);
  if (const auto known = right_.find(key); known != right_.end()) {
    row.check = known->second;
    row.sameBits = true;
    return {};
  }
  experiment.measure = experiment.thorough = false;
  experiment.check = true;
  const Result<lab::RunResult> again = tools_.run(experiment);
  if (!again) return workError("it could not be compared with float64: " + again.error().message);
  if (!again->check) return workError("it was not compared with float64");
  row.check = again->check;
  if (const std::string what = complaint(*again); !what.empty()) return workError(what);
  if (again->outputHash != result.outputHash)
    return workError("two runs gave different bits; it may have a race");
  right_.emplace(key, *again->check);
  return {};
}

/// Rung i stands between the marks behind i rungs or fewer and those behind i + 1 or more.
std::optional<LadderRun::Comparison> LadderRun::beside(std::string_view reference,
                                                       size_t rung) const {
  const device::Measurement *before = nullptr, *after = nullptr;
  for (const Mark& mark : marks_) {
    if (mark.row.kernel != reference || !mark.row.tflops()) continue;
    if (mark.behind <= rung) before = &*mark.row.measurement;
    if (mark.behind > rung && after == nullptr) after = &*mark.row.measurement;
  }
  if (before == nullptr) before = after;
  if (after == nullptr) after = before;
  if (before == nullptr) return std::nullopt;
  Comparison beside{(before->medianMs + after->medianMs) / 2, {}};
  if (before->clockMhz && after->clockMhz)
    beside.mhz = (*before->clockMhz + *after->clockMhz) / 2.0;
  return beside;
}

void LadderRun::setReferences(LadderRow& row, size_t rung) const {
  if (const auto found = beside(row.reference, rung)) {
    row.referenceMs = found->ms;
    row.referenceMhz = found->mhz;
  }
  if (!row.isFp32()) return;
  if (const auto found = beside(kCublasFp32Default, rung)) row.defaultMs = found->ms;
}

/// Of each reference the measurement in the middle, with how far they lay apart.
std::vector<LadderRow> LadderRun::referenceRows() const {
  std::vector<LadderRow> rows;
  for (const Rung& reference : plan_.references) {
    std::vector<LadderRow> all;
    for (const Mark& mark : marks_) {
      if (mark.row.kernel == reference.spec.name) all.push_back(mark.row);
    }
    std::vector<LadderRow> timed;
    std::copy_if(all.begin(), all.end(), std::back_inserter(timed),
                 [](const LadderRow& row) { return row.tflops().has_value(); });
    if (timed.empty()) {
      if (!all.empty()) rows.push_back(all.front());
      continue;
    }
    std::sort(timed.begin(), timed.end(),
              [](const LadderRow& a, const LadderRow& b) { return *a.tflops() < *b.tflops(); });
    LadderRow row = timed[timed.size() / 2];
    row.wrong = std::any_of(all.begin(), all.end(), [](const LadderRow& one) { return one.wrong; });
    if (timed.size() > 1) {
      row.note = std::to_string(timed.size()) + " measurements between the rungs, " +
                 print("%.4g", *timed.front().tflops()) + " to " +
                 print("%.4g TFLOP/s", *timed.back().tflops());
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void LadderRun::tell(const LadderRow& row) const {
  std::string text = toText(row.size) + "  " + row.kernel + "  ";
  if (const auto tflops = row.tflops()) {
    text += print("%.2f TFLOP/s", *tflops);
  } else {
    text += (row.wrong ? "WRONG: " : "") + row.note;
  }
  tools_.say(text);
}

}  // namespace tilestep::bench
