// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <filesystem>
#include <utility>

#include "base/files.h"
#include "features/course/view.h"
#include "model/export/table_parts.h"
#include "model/model.h"

namespace tilestep::features::course {
namespace {

constexpr size_t kLargestFile = size_t{256} << 10;

const char* nameOf(CourseBlock::Kind kind) {
  switch (kind) {
    case CourseBlock::Kind::section:
      return "section";
    case CourseBlock::Kind::part:
      return "part";
    case CourseBlock::Kind::paragraph:
      return "paragraph";
    case CourseBlock::Kind::note:
      return "note";
  }
  return "";
}

Table courseTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  const auto& course = now.view<CourseView>().course;
  if (!course) return out;
  out.title = course->title + ".";
  out.columns = {"what", "text", "opens"};
  for (const CourseBlock& block : course->blocks) {
    std::string opens;
    for (const CourseLink& link : block.links) opens += (opens.empty() ? "" : ", ") + link.name;
    add(out, {nameOf(block.kind), block.text, std::move(opens)});
  }
  return out;
}

class CoursePlan : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return CourseView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"course", "the course's plan", courseTable}};
  }

  void start(Model& model) override {
    const std::string file =
        (std::filesystem::path(model.options.home) / "docs" / "course.md").string();
    const Result<std::string> text = readTextFile(file, kLargestFile);
    if (!text) return;  // A home folder without documents has no plan.
    Result<Course> course = parseCourse(*text, file);
    if (course) {
      course_ = std::make_shared<const Course>(std::move(*course));
      return;
    }
    model.say({Notice::Kind::error,
               "course",
               "The course's plan cannot be read: " + course.error().message,
               placeOf(course.error()),
               {}});
  }

  [[nodiscard]] ViewPointer view(const Moment& /*moment*/) override {
    if (!view_) {
      auto view = std::make_shared<CourseView>();
      view->course = course_;
      view_ = std::move(view);
    }
    return view_;
  }

 private:
  std::shared_ptr<const Course> course_;
  ViewPointer view_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<CoursePlan>();
}

}  // namespace tilestep::features::course
