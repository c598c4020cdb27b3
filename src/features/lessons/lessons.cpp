// SPDX-License-Identifier: Apache-2.0
// Lessons: which there are, the way of a lesson's step to the scene, and its figures.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/library_product.h"
#include "compile/front_matter/library_kernel.h"
#include "model/session.h"

namespace tilestep::model {

void Session::findLessons() {
  std::error_code missing;
  const auto folder = std::filesystem::path(options_.home) / "assets" / "lessons";
  for (const auto& file : std::filesystem::directory_iterator(folder, missing)) {
    if (file.path().extension() != ".md") continue;
    const auto lesson = readLesson(file.path().string());
    // A damaged one is listed by its name and says what is wrong when it is opened.
    lessons_.push_back(
        {file.path().string(), lesson ? lesson->title : file.path().filename().string()});
  }
  std::ranges::sort(lessons_, {}, &LessonEntry::file);
}

void Session::openLesson(const std::string& file) {
  Result<Lesson> lesson = readLesson(file);
  dirty_ = true;
  if (!lesson) {
    return say({Notice::Kind::error, "lesson", toString(lesson.error()), {}, {}});
  }
  clearNotice("lesson");
  lessonFile_ = file;
  lesson_.open(std::make_shared<const Lesson>(std::move(*lesson)));
  openLessonFigures();
  goToLessonStep(0);
}

/// Starts the figures of the open lesson, with the kernels as they are now.
void Session::openLessonFigures() {
  if (!lesson_.isOpen()) return;
  const auto source = [&](const std::string& kernel) -> Result<compile::KernelSource> {
    if (isLibraryProduct(kernel)) return compile::libraryKernel(kernel);
    if (const compile::CatalogueEntry* entry = resolved_->find(kernel)) return entry->source;
    return requestError("there is no kernel " + kernel + " in kernels/");
  };
  lessonFigures_.open(lesson_.view().lesson, options_.home, source);
}

void Session::closeLesson() {
  lesson_.close();
  lessonFigures_.close();
  place_.reset();
  dirty_ = true;
}

void Session::goToLessonStep(size_t index) {
  if (!lesson_.goTo(index)) return;
  show(lesson_.view().step().scene);
  threads_.tableWanted = lesson_.view().step().table;
  dirty_ = true;
}

void Session::answerLesson(double value) {
  lesson_.answer(value, rightAnswer());
  dirty_ = true;
}

void Session::revealLesson() {
  lesson_.reveal(rightAnswer());
  dirty_ = true;
}

RightAnswer Session::rightAnswer() const {
  const bool asks = lesson_.isOpen() && lesson_.view().step().ask;
  return asks ? lessonFigures_.answerTo(*lesson_.view().step().ask) : RightAnswer{};
}

/// Asks for one run after the other, and takes over what was read meanwhile.
void Session::askLesson() {
  if (lessonFigures_.poll()) learnLesson();
  if (workerFailed_ && !requests_.connected()) {
    while (lessonFigures_.wanted() != nullptr) {
      lessonFigures_.acceptError("there is no worker that could run it");
      learnLesson();
    }
  }
  const lab::Experiment* wanted = lessonFigures_.wanted();
  if (wanted == nullptr) {
    if (!std::exchange(lessonAsked_, {}).empty()) requests_.drop(Slot::lesson);
    return;
  }
  if (requests_.waitsOrRuns(Slot::lesson) && lessonAsked_ == keyOf(*wanted)) return;
  lessonAsked_ = keyOf(*wanted);
  requests_.want(Slot::lesson, *wanted, now_);
}

void Session::learnLesson() {
  lesson_.learn(rightAnswer());
  dirty_ = true;
}

void Session::acceptLesson(const Arrival& arrival) {
  // Another lesson may have been opened since the run was asked for.
  const lab::Experiment* wanted = lessonFigures_.wanted();
  if (wanted == nullptr || arrival.key != keyOf(*wanted)) return;
  if (const auto* result = std::get_if<lab::RunResult>(&arrival.reply.body))
    lessonFigures_.accept(*result);
  else if (const Error* error = std::get_if<Error>(&arrival.reply.body))
    lessonFigures_.acceptError(error->message);
  learnLesson();
}

void Session::publishLesson(Snapshot& to) {
  to.lessons = lessons_;
  to.busy.questions |= lessonFigures_.reads();
  if (!lesson_.isOpen()) return;
  to.lesson = lesson_.view();
  to.lesson->shown = lessonFigures_.filled(to.lesson->index);
}

void Session::show(const SceneRequest& wish) {
  stepper_.play(false, now_);
  change("lesson", [&](Choice& choice) {
    if (!wish.kernel.empty()) choice.kernel = wish.kernel;
    if (wish.othersByDefault) choice.tunables.clear();
    choice.tunables[choice.kernel] = wish.tunables;
    choice.scene.values = wish.sizes;
    const auto first = wish.sizes.begin();
    choice.scene.linked = std::ranges::all_of(
        wish.sizes, [&](const auto& size) { return size.second == first->second; });
    choice.block = wish.block;
    choice.thread = wish.thread;
    choice.withoutBarrier = wish.withoutBarrier;
    choice.beside = {wish.beside, {}, wish.besideBlock};
    wishMeasured(wish, choice);
    if (!wish.besideTunables.empty()) {
      const std::string usual = "matmul_naive";
      choice.beside.tunables[wish.beside == Comparison::kUsual ? usual : wish.beside] =
          wish.besideTunables;
    }
  });
  threads_.grain = false;
  endGesture();
  place_ = wish;
}

/// Which device, at which size, under whose roofs.
void Session::wishMeasured(const SceneRequest& wish, Choice& choice) const {
  if (wish.measured > 0) {
    for (const char* name : {"m", "n", "k"}) choice.measure.values[name] = wish.measured;
    choice.measure.linked = true;
  }
  if (wish.device == SceneRequest::kInterpreter) choice.device = "simt";
  if (wish.device == SceneRequest::kMeasured) choice.device = measuringDevice(choice.device);
  if (wish.roof == SceneRequest::kOwnRoof) choice.elsewhere = false;
  if (wish.roof.empty() || wish.roof == SceneRequest::kOwnRoof) return;
  choice.roofDevice = wish.roof;
  choice.elsewhere = wish.device == SceneRequest::kMeasured;
}

/// `now` where it measures; else a GPU that is here, else a recording, else `now`.
std::string Session::measuringDevice(const std::string& now) const {
  std::string recording;
  for (const device::DeviceInfo& device : *devices_) {
    if (!device.measures) continue;
    if (device.id == now) return now;
    if (device.recordedOn.empty()) return "auto";
    if (recording.empty()) recording = device.id;
  }
  return recording.empty() ? now : recording;
}

void Session::takePlace() {
  if (!place_ || !mainSide_ || mainSideKey_ != wanted_.sceneMain) return;
  const SceneRequest wish = *std::exchange(place_, std::nullopt);
  stepper_.setGrain(wish.grain);
  threads_.grain = wish.ofThread;
  tellStory();
  if (stepper_.size() > 0) stepper_.goTo(std::min(wish.step, stepper_.size() - 1));
  dirty_ = true;
}

}  // namespace tilestep::model
