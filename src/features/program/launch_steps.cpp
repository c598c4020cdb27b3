// SPDX-License-Identifier: Apache-2.0
#include "features/program/launch_steps.h"

#include <utility>
#include <variant>

#include "compile/program_source.h"
#include "features/program/summary_choice.h"
#include "lab/launch/launch_spec.h"
#include "model/choice/planning.h"
#include "model/model.h"

namespace tilestep::features {

namespace {

constexpr Job kStepsJob{"program", Urgency::scene};

}  // namespace

uint64_t LaunchSteps::coming() const {
  return asked_ ? asked_->launch->number : 0;
}

void LaunchSteps::forget() {
  asked_.reset();
  notInferred_.clear();
  shown_ = 0;
  note_.clear();
}

void LaunchSteps::show(Model& model, compile::KernelSource source, const Goal& goal) {
  note_.clear();
  const std::string name = compile::nameOf(source);
  const compile::CatalogueEntry* known = findEntry(*model.kernels.catalogue(), name);
  const bool isKnown = known != nullptr && known->source.text == source.text &&
                       known->source.launch && *known->source.launch == *source.launch;
  if (!isKnown) return record(model, std::move(source), goal);
  goal_ = goal;
  asked_.reset();
  shown_ = source.launch->number;
  model.choiceChanged = true;
  goTo(model, name);
}

void LaunchSteps::record(Model& model, compile::KernelSource source, const Goal& goal) {
  goal_ = goal;
  asked_ = std::move(source);
  model.choiceChanged = true;
}

void LaunchSteps::want(Model& model) {
  if (!asked_) return model.jobs.drop(kStepsJob);
  lab::Experiment experiment;
  experiment.source = *asked_;
  experiment.device = "simt";
  experiment.measure = false;
  experiment.traceBlock = Dim3{0, 0, 0};
  experiment.blockAlone = true;
  experiment.traceBytes = kLargeTraceBytes;
  const Request request(std::move(experiment));
  wanted_ = request.key;
  model.jobs.want(kStepsJob, request, model.now);
}

bool LaunchSteps::accept(const Arrival& arrival, Model& model, const lab::ProgramSummary& summary) {
  if (!asked_ || arrival.key != wanted_) return false;
  const compile::KernelSource source = *std::exchange(asked_, std::nullopt);
  if (const auto* error = std::get_if<Error>(&arrival.reply.body)) note_ = error->message;
  const auto* result = worker::resultOf(arrival.reply);
  if (result == nullptr) return true;
  compile::CatalogueEntry entry;
  entry.source = source;
  const lab::ProgramStep* step = stepOf(summary, source.launch->number);
  lab::LaunchFacts facts;
  facts.name = compile::nameOf(source);
  facts.title = step != nullptr ? step->name : facts.name;
  if (step != nullptr) {
    facts.formula = step->formula;
    facts.output = step->result;
  }
  facts.refused = notInferred_;
  entry.spec = lab::specOfLaunch(*result, facts);
  model.kernels.addLaunch(std::move(entry));
  model.readKernels();
  shown_ = source.launch->number;
  goTo(model, facts.name);
  return true;
}

bool LaunchSteps::setInferred(const std::string& what, bool wanted) {
  return wanted ? notInferred_.erase(what) > 0 : notInferred_.insert(what).second;
}

void LaunchSteps::goTo(Model& model, const std::string& kernel) const {
  // If the program only ran again, the scene stays at the shown launch.
  if (!goal_.isAsked && model.choice.kernel == kernel) return;
  const bool isOther = model.choice.kernel != kernel;
  model.change("kernel", [&](Choice& choice) {
    if (isOther) choice.comparison = {};
    choice.kernel = kernel;
    choice.withoutBarrier = 0;
    if (goal_.block || isOther) choice.block = goal_.block.value_or(Dim3{0, 0, 0});
  });
  model.endGesture();
  constexpr size_t kLast = static_cast<size_t>(-1);
  if (goal_.epoch)
    model.place = ScenePosition{trace::StepGranularity::epoch, false, *goal_.epoch};
  else if (goal_.isAtEnd)
    model.place = ScenePosition{trace::StepGranularity::epoch, false, kLast};
  if (goal_.thread) model.ask(command("threads.choose", *goal_.thread));
}

}  // namespace tilestep::features
