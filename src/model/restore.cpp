// SPDX-License-Identifier: Apache-2.0
// What is kept between runs, and the way back to it.
#include <algorithm>
#include <filesystem>

#include "model/session.h"

namespace tilestep::model {
namespace {

std::string wholePath(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(path, failed);
  return failed ? path.string() : whole.string();
}

}  // namespace

std::string Session::fileOf(const std::string& kernel) const {
  for (const std::filesystem::path& path : extraKernels_)
    if (path.stem() == kernel) return wholePath(path);
  return {};
}

Saved Session::saved() const {
  Saved saved;
  saved.choice = choice_;
  saved.choice.pins.reset();  // In a file of their own.
  saved.kernelFile = fileOf(choice_.kernel);
  saved.besideFile = fileOf(choice_.beside.kernel);
  Place& place = saved.place;
  // Where the scene is still on its way, so is the place in it.
  place.grain = place_ ? place_->grain : stepper_.grain();
  place.ofThread = place_ ? place_->ofThread : stepper_.ofThread();
  if (place.ofThread) place.grain = trace::StepGranularity::event;
  place.step = place_ ? place_->step : stepper_.index();
  place.speed = stepper_.speed();
  place.table = threads_.tableWanted;
  if (!lesson_.isOpen()) return saved;
  place.lesson = wholePath(lessonFile_);
  place.lessonStep = lesson_.view().index;
  return saved;
}

void Session::restore(const Saved& saved, const std::string& device) {
  const std::string roofDevice = choice_.roofDevice;
  choice_ = saved.choice;
  if (device != "auto") choice_.device = device;
  if (std::ranges::find(roofDevices_, choice_.roofDevice) == roofDevices_.end())
    choice_.roofDevice = roofDevice;
  for (const std::string& file : {saved.kernelFile, saved.besideFile})
    if (!file.empty()) extraKernels_.emplace_back(file);
  const Place& place = saved.place;
  stepper_.setSpeed(place.speed);
  threads_.tableWanted = place.table;
  place_ = SceneRequest{};
  place_->grain = place.grain;
  place_->ofThread = place.ofThread;
  place_->step = place.step;
  if (place.lesson.empty()) return;
  Result<Lesson> lesson = readLesson(place.lesson);
  if (!lesson) return say({Notice::Kind::error, "lesson", toString(lesson.error()), {}, {}});
  lessonFile_ = place.lesson;
  lesson_.open(std::make_shared<const Lesson>(std::move(*lesson)));
  lesson_.goTo(std::min(place.lessonStep, lesson_.view().lesson->steps.size() - 1));
}

}  // namespace tilestep::model
