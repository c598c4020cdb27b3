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

/// The kinds of things that a link of the plan opens.
struct CourseLink {
  enum class Kind : uint8_t { lesson, lab, exercise, kernel };
  Kind kind = Kind::lesson;
  std::string text;
  std::string name;  ///< The file's stem: "1-why-tile", "divergence", "bug_tile_edges".
  bool operator==(const CourseLink&) const = default;
};

/// A piece of the plan.
struct CourseBlock {
  enum class Kind : uint8_t { section, part, paragraph, note };
  Kind kind = Kind::paragraph;
  std::string text;  ///< Marked as in lessons (**bold**, `code`), links by their words.
  std::vector<CourseLink> links;
  bool operator==(const CourseBlock&) const = default;
};

struct Course {
  std::string title;
  std::vector<CourseBlock> blocks;
};

/// Parses the plan's Markdown: one title ("#"), sections ("##"), parts ("###"), notes ("- "),
/// paragraphs, and links to files of assets/lessons, assets/labs, assets/exercises and kernels. An
/// Error names the line that contains anything else.
Result<Course> parseCourse(std::string_view text, const std::string& file);

}  // namespace tilestep::features
