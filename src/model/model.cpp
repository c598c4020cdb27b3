// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <utility>

namespace tilestep::model {

Model::Model(SessionOptions with)
    : options(std::move(with)),
      kernels(options.home, options.ownKernels),
      points(std::make_unique<Points>(options.pointsFile, options.shippedTuned)),
      resolved(resolve(choice, kernels.catalogue(), devices, known, {})) {}

void Model::change(const std::string& field, const std::function<void(Choice&)>& apply) {
  Choice next = choice;
  apply(next);
  if (next == choice) return;
  undo.changing(choice, field);
  choice = std::move(next);
  choiceChanged = true;
  changed = true;
}

void Model::show(const SceneRequest& request) {
  stepper.play(false, now);
  change("lesson", [&](Choice& next) { choose(request, *devices, next); });
  stepper.wantThread(false);
  endGesture();
  place = request;
  measuringWanted = request.device == SceneRequest::kMeasured;
}

void Model::take(Choice next) {
  if (next.looks != choice.looks) ++looksTakenBack;
  const bool otherEntries = next.entries != choice.entries;
  choice = std::move(next);
  if (otherEntries) readKernels();
  choiceChanged = changed = true;
}

ScenePosition Model::placeNow() const {
  // If the scene has not arrived yet, neither has the position in it.
  return place ? *place : ScenePosition{stepper.grain(), stepper.ofThread(), stepper.index()};
}

void Model::returnTo(const Bookmark& bookmark) {
  Choice next = bookmark.choice;
  next.pins = choice.pins;
  stepper.play(false, now);
  stepper.wantThread(false);
  undo = bookmark.undo;
  measuringWanted = bookmark.measuringWanted;
  take(std::move(next));
  place = bookmark.place;
}

std::string Model::takeKernel(const std::string& nameOrPath) {
  std::string name = kernels.add(nameOrPath);
  if (name != nameOrPath) readKernels();
  return name;
}

void Model::readKernels() {
  kernels.read(choice.entries);
  sayHidden();
  resolveChoice();
  choiceChanged = changed = true;
}

void Model::sayHidden() {
  std::string text;
  for (const compile::CatalogueEntry& file : kernels.hidden())
    text += (text.empty() ? "" : " ") + file.error->message + ".";
  for (const std::filesystem::path& path : kernels.sameNames()) {
    const std::string file = path.string(), name = path.stem().string();
    text += text.empty() ? "" : " ";
    text +=
        kernels.prefersShipped()
            ? "The lesson uses the kernel " + name + " that comes with Tilestep, not " + file + "."
            : file + " replaces the kernel " + name +
                  " that comes with Tilestep, also in labs and comparisons; rename the file to "
                  "have both.";
  }
  if (text.empty()) return clearNotice("own kernels");
  say({Notice::Kind::warning, "own kernels", text, {}, {}});
}

void Model::resolveChoice() {
  resolved = resolve(choice, kernels.catalogue(), devices, known, figures.best.recorded());
}

void Model::say(Notice notice) {
  clearNotice(notice.about);
  notices.push_back(std::move(notice));
  changed = true;
}

void Model::clearNotice(const std::string& about) {
  if (std::erase_if(notices, [&](const Notice& notice) { return notice.about == about; }) > 0)
    changed = true;
}

std::optional<lab::Experiment> Model::measuredExperiment() const {
  if (!resolved->isUsable() || !resolved->plan || resolved->device == nullptr ||
      !resolved->measurePlan)
    return std::nullopt;
  return resolved->measureExperiment(*resolved->entry, resolved->tunables);
}

}  // namespace tilestep::model
