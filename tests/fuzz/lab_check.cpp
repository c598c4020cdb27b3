// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "fuzz/checks.h"
#include "model/files/lab_file.h"
#include "support/source_root.h"

namespace tilestep::fuzz {
namespace {

const model::LabTargets& targets() {
  static const model::LabTargets kTargets{
      compile::readCatalogue(support::sourceRoot() + "/kernels"),
      {"1-why-tile", "7-divergence", "10-reductions"}};
  return kTargets;
}

}  // namespace

std::string checkLab(std::string_view text) {
  const auto lab = model::parseLab(text, "any.toml", targets());
  if (!lab) return checkRefusal(lab.error(), text);
  if (lab->kernels.empty()) return "a lab without a kernel";
  if (lab->title.empty() || lab->question.empty()) return "a lab without its question";
  const double answer = lab->prediction.answer;
  if (!std::isfinite(answer) || std::abs(answer) > model::kLargestPrediction)
    return "an answer out of its range";
  if (!lab->prediction.choices.empty() &&
      (answer < 1 || answer > static_cast<double>(lab->prediction.choices.size())))
    return "an answer that is no choice";
  for (const model::LabKernel& kernel : lab->kernels) {
    if (kernel.name.empty()) return "a kernel without a name";
    (void)model::timedTunablesOf(kernel);
  }
  return {};
}

}  // namespace tilestep::fuzz
