// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/experiment.h"
#include "support/ladder_record.h"

namespace tilestep::bench {

struct Rung {
  compile::KernelSource source;
  compile::KernelSpec spec;
};

struct Tuned {
  compile::Bindings tunables;  ///< Those that are not at their defaults suffice.
  std::string from;            ///< "default", "given", "best", "best at 4096"
};

/// What the measuring is given; a test gives a device that it makes up.
struct LadderTools {
  std::function<Result<lab::RunResult>(const lab::Experiment&)> run;
  std::function<Tuned(const Rung&, const ProductSize&)> tunables;
  std::function<void(const std::string&)> say;  ///< What was just measured, a line.
};

struct LadderPlan {
  std::vector<Rung> rungs;
  std::vector<Rung> references;  ///< The library's products; empty where it is not there.
  std::string device = "cuda:0";
  uint64_t seed = 1;
  bool quick = false;  ///< Measure as a slider does, not as `--thorough`.
};

/// Measures the rungs at one size after the other, with the library's products of their precision
/// before, between and behind them, so that a drift of the clock weighs on all alike. Each output
/// is compared with float64, or is bit for bit one that was.
class LadderRun {
 public:
  LadderRun(LadderPlan plan, LadderTools tools);
  /// The rows of one size: references first, then the rungs in their order.
  std::vector<LadderRow> at(const ProductSize& size);
  /// Of the last result: for the record's head.
  [[nodiscard]] const std::string& compiler() const { return compiler_; }
  [[nodiscard]] const std::string& library() const { return library_; }

 private:
  /// A reference's row, and after which rung it was measured.
  struct Mark {
    size_t behind = 0;
    LadderRow row;
  };
  /// Measures the references of this precision, by the name of the one that rungs are compared
  /// with first.
  void mark(const std::string& precision, size_t behind);
  /// Of the reference of that name beside the rung of that number: time and clock.
  struct Comparison {
    double ms = 0;
    std::optional<double> mhz;
  };
  [[nodiscard]] std::optional<Comparison> beside(std::string_view reference, size_t rung) const;
  LadderRow measured(const Rung& rung, bool isReference);
  [[nodiscard]] lab::Experiment experimentOf(const Rung& rung, const compile::Bindings& tunables,
                                             double predictedMs) const;
  void fill(LadderRow& row, const lab::Experiment& experiment, lab::RunResult result);
  Status check(LadderRow& row, lab::Experiment experiment, const lab::RunResult& result);
  /// Into `row`: times and clock of the references beside the rung of that number.
  void setReferences(LadderRow& row, size_t rung) const;
  [[nodiscard]] std::vector<LadderRow> referenceRows() const;
  [[nodiscard]] double predictedMs(const std::string& kernel) const;
  void tell(const LadderRow& row) const;

  LadderPlan plan_;
  LadderTools tools_;
  ProductSize size_;
  std::vector<Mark> marks_;
  std::map<std::pair<std::string, uint64_t>, lab::Check> right_;  ///< By reference and bits.
  std::map<std::string, double> flopPerMs_;                       ///< Of the last size, by kernel.
  std::string compiler_, library_;
};

}  // namespace tilestep::bench
