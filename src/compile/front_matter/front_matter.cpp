// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/front_matter.h"

#include <algorithm>

#include "base/text_lines.h"
#include "compile/front_matter/entry_choice.h"

namespace tilestep::compile {
namespace {

constexpr std::string_view kOpen = "/*---";
constexpr std::string_view kClose = "---*/";

// The first position that is neither whitespace nor in a // comment.
size_t startOfText(std::string_view text) {
  size_t at = 0;
  while (true) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string_view::npos) return text.size();
    if (text.substr(at, 2) != "//") return at;
    at = std::min(text.find('\n', at), text.size());
  }
}

std::string blanksFor(std::string_view text) {
  std::string blanks(text);
  std::replace_if(
      blanks.begin(), blanks.end(), [](char c) { return c != '\n'; }, ' ');
  return blanks;
}

int lineAt(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, offset);
  return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
}

Error at(const KernelSource& source, size_t offset, std::string message) {
  Error error = requestError(std::move(message));
  const int line = lineAt(source.text, offset);
  error.where = TextLocation{source.path, line, 0};
  error.sourceLine = lineOf(source.text, line);
  return error;
}

/// The error for a kernel with front matter in two files. Neither takes precedence, because the
/// author of one may not know of the other.
Error twice(const KernelSource& source, size_t offset) {
  const std::string beside = tomlBeside(source.path);
  return at(source, offset,
            "front matter is in " + source.path + " and in " + beside +
                " beside it; delete one, or name the one to use: tilestep run --spec " + beside +
                " " + source.path);
}

Result<FrontMatter> besideOf(const KernelSource& source) {
  const std::string file = tomlBeside(source.path);
  if (source.frontMatter.find_first_not_of(" \t\r\n") != std::string::npos)
    return FrontMatter{file, source.frontMatter};
  Error error = requestError(file + " is empty; tilestep draft " + source.path +
                             " writes a first version, or reports why it cannot");
  error.where = TextLocation{file, 1, 0};
  return error;
}

}  // namespace

std::string tomlBeside(std::string_view kernelPath) {
  const size_t ending = kernelPath.rfind(".cu");
  return std::string(kernelPath.substr(0, ending)) + ".toml";
}

std::string stemOf(std::string_view kernelPath) {
  kernelPath.remove_prefix(kernelPath.find_last_of('/') + 1);
  return std::string(kernelPath.substr(0, kernelPath.rfind('.')));
}

Result<FrontMatter> findFrontMatter(const KernelSource& source) {
  const std::string_view text = source.text;
  const size_t start = startOfText(text);
  if (text.substr(start, kOpen.size()) != kOpen) {
    if (!source.frontMatter.empty()) return besideOf(source);
    if (const Status clear = checkEntryIsClear(source); !clear) return clear.error();
    return at(
        source, start,
        "the file does not begin with its front matter, /*--- … ---*/; write it there or in " +
            tomlBeside(source.path) + " (tilestep draft " + source.path +
            " writes a first version)");
  }
  if (!source.frontMatter.empty()) return twice(source, start);
  const size_t inside = start + kOpen.size();
  const size_t end = text.find(kClose, inside);
  if (end == std::string_view::npos) {
    return at(source, start, "the front matter that begins here is not closed; end it with ---*/");
  }
  return FrontMatter{source.path, blanksFor(text.substr(0, inside)) +
                                      std::string(text.substr(inside, end - inside))};
}

Result<BareText> withoutFrontMatter(const KernelSource& source) {
  const std::string_view text = source.text;
  const size_t start = startOfText(text);
  if (text.substr(start, kOpen.size()) != kOpen) return BareText{source.text, 0, 0};
  const size_t close = text.find("*/", start + 2);
  if (close == std::string_view::npos)
    return at(source, start, "the comment that begins here is not closed; end it with ---*/");
  const size_t behind = close + 2;
  return BareText{std::string(text.substr(0, start)) +
                      blanksFor(text.substr(start, behind - start)) +
                      std::string(text.substr(behind)),
                  lineAt(text, start), behind};
}

}  // namespace tilestep::compile
