// SPDX-License-Identifier: Apache-2.0
#include "fuzz/text_mutator.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/files.h"
#include "support/source_root.h"

namespace tilestep::fuzz {
namespace {

constexpr size_t kLongest = 16384;

constexpr std::string_view kWords[] = {"{",
                                       "}",
                                       "(",
                                       ")",
                                       "[",
                                       "]",
                                       ";",
                                       ",",
                                       ":",
                                       "|",
                                       "!",
                                       "@%p1 ",
                                       "+-",
                                       "_",
                                       "%r1",
                                       "%f1",
                                       "%rd1",
                                       "%tid.x",
                                       ".v4",
                                       ".f32",
                                       ".u64",
                                       ".global",
                                       ".shared",
                                       ".reg .b32 ",
                                       ".param .b32 ",
                                       "<9>",
                                       "0f3F800000",
                                       "0x",
                                       "18446744073709551615",
                                       "-9223372036854775808",
                                       "bra ",
                                       "ret;",
                                       "call ",
                                       "ld.global.f32 %f1, [%rd1];",
                                       ".loc 1 2 3, inlined_at 1 2 3",
                                       ".pragma \"nounroll\";",
                                       "\"",
                                       "/*",
                                       "//",
                                       "\n",
                                       ".section .debug_str {",
                                       "a: .branchtargets a;",
                                       ".reg .v4 .f32 v;",
                                       "= {1,",
                                       "[]",
                                       ".align 8 ",
                                       "generic(",
                                       "@@DWARF",
                                       "\xff",
                                       ".func f() {",
                                       ".extern "};

}  // namespace

std::vector<std::string> ptxWords() {
  return {std::begin(kWords), std::end(kWords)};
}

std::vector<std::string> dictionary(const std::string& name) {
  std::ifstream lines(support::sourceRoot() + "/tests/fuzz/dictionaries/" + name + ".dict");
  std::vector<std::string> words;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('"')) continue;
    std::string word;
    for (size_t i = 1; i + 1 < line.size(); ++i) {
      if (line[i] == '\\' && line[++i] == 'x') {
        word += static_cast<char>(std::stoi(line.substr(i + 1, 2), nullptr, 16));
        i += 2;
      } else {
        word += line[i];
      }
    }
    words.push_back(word);
  }
  return words;
}

std::string TextMutator::next() {
  std::string text = seed();
  const bool keepsLines = below(2) == 0;
  for (size_t steps = 1 + below(4); steps > 0; --steps) {
    keepsLines ? mutateLines(text) : mutateCharacters(text);
  }
  text.resize(std::min(text.size(), kLongest));
  return text;
}

std::string TextMutator::nextOfLines() {
  std::string text = seed();
  for (size_t steps = 1 + below(3); steps > 0; --steps) mutateLines(text);
  return text;
}

void TextMutator::mutateCharacters(std::string& text) {
  const size_t at = below(text.size() + 1);
  const size_t length = below(std::min<size_t>(text.size() - at, 40) + 1);
  switch (below(6)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, words_[below(words_.size())]);
      break;
    case 2:
      text.replace(at, length, words_[below(words_.size())]);
      break;
    case 3:
      text.insert(below(text.size() + 1), std::string(text, at, length));
      break;
    case 4:
      splice(text, at);
      break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(below(256));
      break;
  }
}

void TextMutator::splice(std::string& text, size_t at) {
  const std::string& other = seed();
  const size_t from = below(other.size());
  text.insert(at, other, from, below(200));
}

/// Removes a line and, half of the time, inserts it elsewhere; or inserts a line of another text.
void TextMutator::mutateLines(std::string& text) {
  if (below(3) == 0) return insertLine(text, lineOf(seed()));
  const std::string line = lineOf(text);
  const size_t at = text.find(line);
  if (below(3) > 0) text.erase(at, line.size());
  if (below(2) == 0) insertLine(text, line);
}

std::string TextMutator::lineOf(const std::string& text) {
  const size_t start = text.rfind('\n', below(text.size() + 1));
  if (start == std::string::npos) return {};
  return text.substr(start, text.find('\n', start + 1) - start);
}

void TextMutator::insertLine(std::string& text, const std::string& line) {
  const size_t at = text.find('\n', below(text.size() + 1));
  text.insert(at == std::string::npos ? text.size() : at, line);
}

std::vector<std::string> goldenTexts() {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path root = support::sourceRoot() + "/tests/golden";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".ptx") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    const Result<std::string> text = readTextFile(path);
    if (text) texts.push_back(text->substr(0, text->find("//! expected:")));
  }
  return texts;
}

}  // namespace tilestep::fuzz
