// SPDX-License-Identifier: Apache-2.0
#include "features/course/course.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

namespace tilestep::features {
namespace {

using Kind = CourseBlock::Kind;

struct Target {
  std::string_view folder, ending;
  CourseLink::Kind kind;
};
constexpr std::array<Target, 4> kTargets{
    {{"../assets/lessons/", ".md", CourseLink::Kind::lesson},
     {"../assets/labs/", ".toml", CourseLink::Kind::lab},
     {"../assets/exercises/", ".cu", CourseLink::Kind::exercise},
     {"../kernels/", ".cu", CourseLink::Kind::kernel}}};

std::optional<CourseLink> linkTo(std::string_view text, std::string_view target) {
  for (const Target& each : kTargets) {
    if (!target.starts_with(each.folder) || !target.ends_with(each.ending)) continue;
    return CourseLink{each.kind, std::string(text), std::filesystem::path(target).stem().string()};
  }
  return std::nullopt;
}

class CourseReader {
 public:
  explicit CourseReader(std::string file) : file_(std::move(file)) {}

  Result<Course> read(std::string_view text) {
    while (!text.empty() && !error_) {
      const size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      readLine(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    finish();
    if (!error_ && course_.title.empty()) fail(line_, "the plan has no title: # The course");
    if (error_) return *error_;
    return std::move(course_);
  }

 private:
  void readLine(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return finish();
    if (line.starts_with("# ")) return readTitle(line.substr(2));
    if (line.starts_with("## ")) return begin(Kind::section, line.substr(3));
    if (line.starts_with("### ")) return begin(Kind::part, line.substr(4));
    if (line.starts_with("- ")) return begin(Kind::note, line.substr(2));
    if (!open_) return begin(Kind::paragraph, line);
    if (open_->kind == Kind::section || open_->kind == Kind::part)
      return fail(line_, "a heading must be followed by an empty line");
    open_->text += ' ';
    open_->text += line.substr(std::min(line.find_first_not_of(' '), line.size()));
  }

  void readTitle(std::string_view title) {
    finish();
    if (!course_.title.empty() || !course_.blocks.empty())
      return fail(line_, "the plan must have one title, which must come first");
    course_.title = title;
  }

  void begin(Kind kind, std::string_view text) {
    finish();
    open_ = CourseBlock{kind, std::string(text), {}};
    begunAt_ = line_;
  }

  void finish() {
    if (!open_) return;
    CourseBlock block = *std::exchange(open_, std::nullopt);
    takeLinks(block);
    course_.blocks.push_back(std::move(block));
  }

  /// Moves a paragraph's links to CourseBlock::links; only their words remain in the text.
  void takeLinks(CourseBlock& block) {
    std::string text;
    std::string_view rest = block.text;
    for (size_t at = rest.find('['); at != std::string_view::npos; at = rest.find('[')) {
      const size_t middle = rest.find("](", at), end = rest.find(')', middle);
      if (middle == std::string_view::npos || end == std::string_view::npos)
        return fail(begunAt_, "a link must be written as [words](file)");
      const std::string_view words = rest.substr(at + 1, middle - at - 1);
      const std::string_view target = rest.substr(middle + 2, end - middle - 2);
      const auto link = linkTo(words, target);
      if (!link) {
        return fail(begunAt_,
                    "a link must lead to ../assets/lessons/NAME.md, ../assets/labs/NAME.toml, "
                    "../assets/exercises/NAME.cu or ../kernels/NAME.cu, not to " +
                        std::string(target));
      }
      block.links.push_back(*link);
      text += rest.substr(0, at);
      text += words;
      rest.remove_prefix(end + 1);
    }
    text += rest;
    block.text = std::move(text);
  }

  void fail(int line, std::string why) {
    if (error_) return;
    error_ = requestError(std::move(why));
    error_->where = TextLocation{file_, line, 0};
  }

  std::string file_;
  int line_ = 0, begunAt_ = 0;
  Course course_;
  std::optional<CourseBlock> open_;
  std::optional<Error> error_;
};

}  // namespace

Result<Course> parseCourse(std::string_view text, const std::string& file) {
  return CourseReader(file).read(text);
}

}  // namespace tilestep::features
