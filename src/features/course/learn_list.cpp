// SPDX-License-Identifier: Apache-2.0
#include "features/course/learn_list.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tilestep::features {
namespace {

using LinkKind = CourseLink::Kind;

std::string minutesText(int minutes) {
  return minutes > 0 ? std::to_string(minutes) + " min" : std::string();
}

std::string stemOf(const LessonEntry& lesson) {
  return std::filesystem::path(lesson.file).stem().string();
}

/// "weeks 1 to 3" from "**Takes:** 25 minutes. **Builds on:** weeks 1 to 3."; may be empty.
std::string buildsOnIn(const std::string& text) {
  constexpr std::string_view kMark = "**Builds on:** ";
  const size_t at = text.find(kMark);
  if (at == std::string::npos) return {};
  const std::string rest = text.substr(at + kMark.size());
  return rest.substr(0, rest.find('.'));
}

/// "5" from "5. Why tile?"; empty if the part is not a week.
std::string weekOf(const std::string& title) {
  const size_t dot = title.find(". ");
  const std::string number = title.substr(0, dot);
  const bool isNumber =
      dot != std::string::npos && !number.empty() &&
      std::ranges::all_of(number, [](char sign) { return sign >= '0' && sign <= '9'; });
  return isNumber ? number : std::string();
}

/// Makes the entries, without duplicates.
class LearnLister {
 public:
  LearnLister(const LessonsView& lessons, const LabsView& labs, const ExercisesView& exercises)
      : lessons_(lessons), labs_(labs), exercises_(exercises) {}

  std::vector<LearnGroup> of(const Course* course) {
    if (course != nullptr) addWeeks(*course);
    std::erase_if(groups_, [](const LearnGroup& group) { return group.entries.empty(); });
    groups_.push_back({course != nullptr ? "More" : "", {}, {}});
    for (const LessonEntry& each : lessons_.lessons) add(LinkKind::lesson, stemOf(each), {});
    if (labs_.labs)
      for (const Lab& each : *labs_.labs) add(LinkKind::lab, each.id, {});
    if (exercises_.exercises)
      for (const Exercise& each : *exercises_.exercises) add(LinkKind::exercise, each.id, {});
    if (groups_.back().entries.empty()) groups_.pop_back();
    return std::move(groups_);
  }

 private:
  void addWeeks(const Course& course) {
    std::string week;
    std::map<size_t, std::vector<std::string>> kernels;  // Indexed by group.
    for (const CourseBlock& block : course.blocks) {
      if (block.kind == CourseBlock::Kind::section) week.clear();
      if (block.kind == CourseBlock::Kind::part) {
        week = weekOf(block.text);
        if (!week.empty()) groups_.push_back({block.text, {}, {}});
      }
      if (week.empty()) continue;
      if (const std::string text = buildsOnIn(block.text); !text.empty())
        groups_.back().buildsOn = text;
      for (const CourseLink& link : block.links) add(link.kind, link.name, week);
      for (const CourseLink& link : block.links)
        if (link.kind == LinkKind::kernel) kernels[groups_.size() - 1].push_back(link.name);
    }
    for (const auto& [group, names] : kernels) addKernels(names, groups_[group]);
  }
  /// Adds kernels to a week that has no other entries.
  static void addKernels(const std::vector<std::string>& names, LearnGroup& group) {
    if (!group.entries.empty()) return;
    for (const std::string& name : names) {
      LearnEntry entry;
      entry.kind = LinkKind::kernel;
      entry.name = entry.title = name;
      entry.number = weekOf(group.title) + "." + std::to_string(group.entries.size() + 1);
      group.entries.push_back(std::move(entry));
    }
  }

  /// Whether a lab contains the lesson, which is then listed as part of the lab.
  [[nodiscard]] bool isInLab(const std::string& lesson) const {
    return labs_.labs && std::ranges::find(*labs_.labs, lesson, &Lab::lesson) != labs_.labs->end();
  }
  [[nodiscard]] const LessonEntry* lesson(const std::string& name) const {
    const auto at = std::ranges::find(lessons_.lessons, name, stemOf);
    return at == lessons_.lessons.end() ? nullptr : &*at;
  }
  static void takeProgress(const LessonEntry& lesson, LearnEntry& entry) {
    entry.done = lesson.finished;
    if (lesson.at)
      entry.progress =
          "step " + std::to_string(*lesson.at + 1) + " of " + std::to_string(lesson.steps);
  }

  [[nodiscard]] std::optional<LearnEntry> lessonEntry(const std::string& name) const {
    const LessonEntry* found = lesson(name);
    if (found == nullptr || isInLab(name)) return std::nullopt;
    LearnEntry entry;
    entry.name = name;
    entry.title = found->title;
    entry.minutes = minutesText(found->minutes);
    takeProgress(*found, entry);
    return entry;
  }
  [[nodiscard]] std::optional<LearnEntry> labEntry(const std::string& name) const {
    if (!labs_.labs) return std::nullopt;
    const auto lab = std::ranges::find(*labs_.labs, name, &Lab::id);
    if (lab == labs_.labs->end()) return std::nullopt;
    LearnEntry entry;
    entry.kind = LinkKind::lab;
    entry.name = name;
    entry.title = lab->title;
    entry.minutes = minutesText(lab->minutes);
    entry.about = lab->question;
    if (const LessonEntry* inside = lesson(lab->lesson)) takeProgress(*inside, entry);
    return entry;
  }
  [[nodiscard]] std::optional<LearnEntry> exerciseEntry(const std::string& name) const {
    if (!exercises_.exercises) return std::nullopt;
    const auto at = std::ranges::find(*exercises_.exercises, name, &Exercise::id);
    if (at == exercises_.exercises->end()) return std::nullopt;
    const auto index = static_cast<size_t>(at - exercises_.exercises->begin());
    LearnEntry entry;
    entry.kind = LinkKind::exercise;
    entry.name = name;
    entry.title = at->title;
    entry.about = at->symptom;
    const ExerciseState state =
        index < exercises_.states.size() ? exercises_.states[index] : ExerciseState::untouched;
    entry.done = state == ExerciseState::passed;
    if (state == ExerciseState::begun) entry.progress = "begun";
    return entry;
  }

  void add(LinkKind kind, const std::string& name, const std::string& week) {
    if (kind == LinkKind::kernel || !listed_.insert({kind, name}).second) return;
    std::optional<LearnEntry> entry = kind == LinkKind::lesson ? lessonEntry(name)
                                      : kind == LinkKind::lab  ? labEntry(name)
                                                               : exerciseEntry(name);
    if (!entry) return;
    std::vector<LearnEntry>& entries = groups_.back().entries;
    if (!week.empty()) entry->number = week + "." + std::to_string(entries.size() + 1);
    entries.push_back(std::move(*entry));
  }

  const LessonsView& lessons_;
  const LabsView& labs_;
  const ExercisesView& exercises_;
  std::vector<LearnGroup> groups_;
  std::set<std::pair<LinkKind, std::string>> listed_;
};

}  // namespace

std::vector<LearnGroup> learnListOf(const Course* course, const LessonsView& lessons,
                                    const LabsView& labs, const ExercisesView& exercises) {
  return LearnLister(lessons, labs, exercises).of(course);
}

}  // namespace tilestep::features
