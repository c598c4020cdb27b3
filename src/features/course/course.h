// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "features/names.h"

/// The course plan, docs/course.md, as the window shows it.
namespace tilestep::features {

/// A link of the plan, which opens a lesson, a lab, an exercise or a kernel.
struct CourseLink {
  enum class Kind : uint8_t { lesson, lab, exercise, kernel };
  Kind kind = Kind::lesson;
  std::string text;
  std::string name;  ///< The file's stem: "1-why-tile", "divergence", "bug_tile_edges".
  bool operator==(const CourseLink&) const = default;
};

struct CourseBlock {
  enum class Kind : uint8_t { section, part, paragraph, note };
  Kind kind = Kind::paragraph;
  std::string text;  ///< Marked up as in lessons (**bold**, `code`), without links.
  std::vector<CourseLink> links;
  bool operator==(const CourseBlock&) const = default;
};

struct Course {
  std::string title;
  std::vector<CourseBlock> blocks;
};

/// Parses the plan's Markdown: one title ("#"), sections ("##"), parts ("###"), notes ("- "),
/// paragraphs, and links to files in assets/lessons, assets/labs, assets/exercises and kernels.
/// Anything else is an Error that reports the line.
Result<Course> parseCourse(std::string_view text, const std::string& file);

}  // namespace tilestep::features
