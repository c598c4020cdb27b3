// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tilestep::fuzz {

/// The PTX of the golden cases, in the order of their names.
[[nodiscard]] std::vector<std::string> goldenTexts();

/// The words of dictionaries/NAME.dict in libFuzzer's format: one per line, in quotes.
[[nodiscard]] std::vector<std::string> dictionary(const std::string& name);

/// Words of PTX that are likely to upset a parser.
[[nodiscard]] std::vector<std::string> ptxWords();

/// Damages texts, with the same sequence for the same seeds, number and words. `words` are
/// inserted.
class TextMutator {
 public:
  explicit TextMutator(std::vector<std::string> seeds, uint32_t number = 20240229,
                       std::vector<std::string> words = ptxWords())
      : seeds_(std::move(seeds)), words_(std::move(words)), random_(number) {}

  /// Returns at most 8 KiB. In half of the texts only lines are shuffled, so that many still parse.
  std::string next();
  /// Returns one of the seeds, with up to three lines moved, doubled, removed or taken from another
  /// seed.
  std::string nextOfLines();

 private:
  // std::uniform_int_distribution differs between libraries.
  size_t below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  const std::string& seed() { return seeds_[below(seeds_.size())]; }
  void mutateCharacters(std::string& text);
  void splice(std::string& text, size_t at);
  void mutateLines(std::string& text);
  std::string lineOf(const std::string& text);
  void insertLine(std::string& text, const std::string& line);

  std::vector<std::string> seeds_;
  std::vector<std::string> words_;
  std::mt19937 random_;
};

}  // namespace tilestep::fuzz
