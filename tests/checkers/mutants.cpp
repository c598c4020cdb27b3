// SPDX-License-Identifier: Apache-2.0
#include "checkers/mutants.h"

#include <algorithm>

namespace tilestep::checkers {
namespace {

using Lines = std::vector<std::string>;

Lines split(const std::string& text) {
  Lines lines{""};
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

std::string join(const Lines& lines) {
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + lines[i];
  return text;
}

bool isCode(const std::string& line) {
  const size_t start = line.find_first_not_of(' ');
  return start != std::string::npos && line.compare(start, 2, "//") != 0 && line[start] != '#' &&
         line.find("template") == std::string::npos;
}

bool isDeclaration(const std::string& line) {
  for (const char* word : {"__shared__", "__global__", "__device__", "__constant__"}) {
    if (line.find(word) != std::string::npos) return true;
  }
  return false;
}

/// The bracket that closes the bracket at `open`; npos if it is on another line.
size_t closing(const std::string& line, size_t open) {
  int depth = 0;
  for (size_t i = open; i < line.size(); ++i) {
    depth += line[i] == '[' || line[i] == '(';
    depth -= line[i] == ']' || line[i] == ')';
    if (depth == 0) return i;
  }
  return std::string::npos;
}

class Mutator {
 public:
  explicit Mutator(const compile::KernelSource& source) : source_(source) {
    lines_ = split(source.text);
    const size_t end = source.text.find("---*/");
    if (end != std::string::npos) {
      first_ = static_cast<size_t>(std::count(source.text.begin(),
                                              source.text.begin() + static_cast<long>(end), '\n')) +
               1;
    }
  }

  std::vector<Mutant> run() {
    for (line_ = first_; line_ < lines_.size(); ++line_) {
      if (!isCode(lines_[line_])) continue;
      barriers();
      comparisons();
      conjunctions();
      if (!isDeclaration(lines_[line_])) indices();
    }
    return std::move(mutants_);
  }

 private:
  void add(const std::string& what, size_t at, size_t length, const std::string& instead) {
    Lines lines = lines_;
    lines[line_].replace(at, length, instead);
    Mutant mutant;
    mutant.what = what;
    mutant.line = static_cast<int>(line_) + 1;
    mutant.before = lines_[line_];
    mutant.after = lines[line_];
    mutant.source = source_;
    mutant.source.text = join(lines);
    mutants_.push_back(std::move(mutant));
  }

  template <class Visit>
  void forEach(const std::string& word, Visit visit) {
    const std::string& line = lines_[line_];
    for (size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
      visit(at);
    }
  }

  void barriers() {
    for (const std::string word :
         {"__syncthreads", "__syncwarp", "__threadfence_block", "__threadfence"}) {
      forEach(word + "(", [&](size_t at) {
        const size_t end = closing(lines_[line_], at + word.size());
        if (end == std::string::npos) return;
        const bool fence = word.find("fence") != std::string::npos;
        add(fence ? "fence removed" : "barrier removed", at, end + 1 - at, "");
      });
    }
  }

  void comparisons() {
    const std::pair<const char*, const char*> kMoves[] = {
        {" < ", " <= "}, {" <= ", " < "}, {" > ", " >= "}, {" >= ", " > "}};
    for (const auto& move : kMoves) {
      const std::string from = move.first;
      forEach(from,
              [&](size_t at) { add(from + "to" + move.second, at, from.size(), move.second); });
    }
  }

  /// `a && b` becomes `true && b` and `a && true`. An operand ends at &&, a bracket, ? or ;.
  void conjunctions() {
    const std::string& line = lines_[line_];
    forEach(" && ", [&](size_t at) {
      size_t begin = at, depth = 0;
      while (begin > 0) {
        const char c = line[begin - 1];
        if (c == ')') ++depth;
        if (c == '(' && depth-- == 0) break;
        if (depth == 0 && (c == '?' || c == ';' || c == '=' || c == '&') &&
            (c != '=' || !std::string("<>!=").find(line[begin - 2]))) {
          break;
        }
        --begin;
      }
      add("condition dropped", begin, at - begin,
          begin == 0 || line[begin - 1] == '(' ? "true" : " true");
      size_t end = at + 4;
      for (depth = 0; end < line.size(); ++end) {
        const char c = line[end];
        if (c == '(') ++depth;
        if (c == ')' && depth-- == 0) break;
        if (depth == 0 && (c == '?' || c == ';' || c == '&')) break;
      }
      add("condition dropped", at + 4, end - at - 4, "true ");
    });
  }

  void indices() {
    forEach("[", [&](size_t at) {
      const size_t end = closing(lines_[line_], at);
      if (end == std::string::npos) return;
      add("index + 1", at + 1, end - at - 1, lines_[line_].substr(at + 1, end - at - 1) + " + 1");
      add("index - 1", at + 1, end - at - 1, lines_[line_].substr(at + 1, end - at - 1) + " - 1");
    });
  }

  const compile::KernelSource& source_;
  Lines lines_;
  size_t first_ = 0, line_ = 0;
  std::vector<Mutant> mutants_;
};

}  // namespace

std::vector<Mutant> mutantsOf(const compile::KernelSource& source) {
  return Mutator(source).run();
}

}  // namespace tilestep::checkers
