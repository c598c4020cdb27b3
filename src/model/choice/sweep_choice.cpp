// SPDX-License-Identifier: Apache-2.0
#include "model/choice/sweep_choice.h"

#include "model/command.h"

namespace tilestep::model {

std::string toWord(const SweepChoice& choice) {
  return std::string(nameOf(choice.kind)) + "/" + nameOf(choice.quantity) + "/" +
         toWord(uint64_t{choice.axes});
}

bool fromWord(const std::string& word, SweepChoice& to) {
  const size_t first = word.find('/');
  const size_t second = first == word.npos ? word.npos : word.find('/', first + 1);
  if (second == word.npos) return false;
  SweepChoice choice;
  size_t kind = 0, quantity = 0;
  while (kind < kSweepKinds && word.substr(0, first) != nameOf(static_cast<SweepKind>(kind)))
    ++kind;
  const std::string named = word.substr(first + 1, second - first - 1);
  while (quantity < kSweepQuantities && named != nameOf(static_cast<SweepQuantity>(quantity)))
    ++quantity;
  if (kind == kSweepKinds || quantity == kSweepQuantities) return false;
  choice.kind = static_cast<SweepKind>(kind);
  choice.quantity = static_cast<SweepQuantity>(quantity);
  uint64_t axes = 0;
  if (!fromWord(word.substr(second + 1), axes)) return false;
  choice.axes = axes;
  to = choice;
  return true;
}

}  // namespace tilestep::model
