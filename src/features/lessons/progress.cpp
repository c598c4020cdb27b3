// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/progress.h"

#include <algorithm>
#include <filesystem>

namespace tilestep::features {
namespace {

std::string nameOf(const std::string& file) {
  return std::filesystem::path(file).stem().string();
}

}  // namespace

const LessonProgress* ProgressOfLessons::find(const std::string& file) const {
  const auto at = all_.find(nameOf(file));
  return at == all_.end() ? nullptr : &at->second;
}

bool ProgressOfLessons::isAtEnd(const std::string& file, size_t steps) const {
  const LessonProgress* progress = find(file);
  return progress != nullptr && progress->finished && progress->step + 1 >= steps;
}

void ProgressOfLessons::begin(const std::string& file, const Lesson& lesson) {
  if (isAtEnd(file, lesson.steps.size())) startOver(file);
}

size_t ProgressOfLessons::stepOf(const std::string& file, const Lesson& lesson) const {
  const LessonProgress* progress = find(file);
  return progress == nullptr ? 0 : std::min(progress->step, lesson.steps.size() - 1);
}

Answered ProgressOfLessons::answersOf(const std::string& file, const Lesson& lesson) const {
  Answered answered;
  const LessonProgress* progress = find(file);
  if (progress == nullptr) return answered;
  for (size_t i = 0; i < lesson.steps.size(); ++i) {
    const auto answer = progress->answers.find(lesson.steps[i].slug);
    if (lesson.steps[i].ask && answer != progress->answers.end()) answered[i] = answer->second;
  }
  return answered;
}

void ProgressOfLessons::note(const std::string& file, const LessonPlayer& player) {
  const LessonView& view = player.view();
  LessonProgress& progress = all_[nameOf(file)];
  progress.step = view.index;
  progress.answers.clear();
  for (const auto& [index, right] : player.answered())
    progress.answers[view.lesson->steps[index].slug] = right;
  progress.finished = progress.finished || (view.isLast() && view.revealed);
}

void ProgressOfLessons::startOver(const std::string& file) {
  const auto at = all_.find(nameOf(file));
  if (at == all_.end()) return;
  at->second.step = 0;
  at->second.answers.clear();
}

void ProgressOfLessons::describe(LessonEntry& entry) const {
  const LessonProgress* progress = find(entry.file);
  if (progress == nullptr || entry.steps == 0) return;
  entry.finished = progress->finished;
  const size_t step = std::min(progress->step, entry.steps - 1);
  const bool begun = step > 0 || !progress->answers.empty();
  if (begun && !isAtEnd(entry.file, entry.steps)) entry.at = step;
}

}  // namespace tilestep::features
