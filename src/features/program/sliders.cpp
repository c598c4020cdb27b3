// SPDX-License-Identifier: Apache-2.0
#include "features/program/sliders.h"

namespace tilestep::features {
namespace {

compile::TunableSpec sliderOf(const compile::TextConstant& constant) {
  compile::TunableSpec spec;
  spec.name = constant.name;
  spec.defaultValue = constant.value;
  spec.values = constant.values;
  spec.minimum = constant.values.front();
  spec.maximum = constant.values.back();
  spec.title = "line " + std::to_string(constant.line);
  return spec;
}

/// Whether the run with this value was refused, did not end, or had a fault.
bool isFaulty(const Outcome& outcome) {
  return !whyFails(outcome).empty() || (outcome.summary && outcome.summary->faults() > 0);
}

/// Summarises the tried values: "8 of 8 tried, 2 with faults".
std::string triedText(size_t tried, size_t faulty, size_t all) {
  if (tried < 2) return {};
  return ", " + std::to_string(tried) + " of " + std::to_string(all) + " tried, " +
         (faulty == 0 ? "no faults" : std::to_string(faulty) + " with faults");
}

}  // namespace

void addSliders(const std::shared_ptr<const std::string>& text,
                const std::vector<compile::TextConstant>& constants, const Outcomes& outcomes,
                const std::string& arguments, ProgramView& view) {
  for (const compile::TextConstant& constant : constants) {
    view.values[constant.name] = constant.value;
    view.sliders.push_back(sliderOf(constant));
    model::TunableLegality tried{constant.name, {}};
    size_t count = 0, failing = 0, faulty = 0;
    for (const int64_t value : constant.values) {
      const Outcome* known =
          outcomes.isEmpty() ? nullptr
                             : outcomes.find(compile::withValue(*text, constant, value), arguments);
      tried.values.push_back({value, known == nullptr ? std::string() : whyFails(*known)});
      count += known == nullptr ? 0 : 1;
      failing += tried.values.back().why.empty() ? 0 : 1;
      faulty += known != nullptr && isFaulty(*known) ? 1 : 0;
    }
    view.sliders.back().title += triedText(count, faulty, constant.values.size());
    // If every tried value fails, the value is not the cause, so no value is marked.
    if (failing == count)
      for (model::ValueLegality& each : tried.values) each.why.clear();
    view.tried.push_back(std::move(tried));
  }
}

}  // namespace tilestep::features
