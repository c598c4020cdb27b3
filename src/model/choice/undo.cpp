// SPDX-License-Identifier: Apache-2.0
#include "model/choice/undo.h"

#include <utility>

namespace tilestep::model {
namespace {

std::optional<Choice> take(std::vector<Choice>& from, std::vector<Choice>& to, const Choice& now) {
  if (from.empty()) return std::nullopt;
  to.push_back(now);
  Choice choice = std::move(from.back());
  from.pop_back();
  return choice;
}

}  // namespace

void Undo::changing(const Choice& before, const std::string& field) {
  forward_.clear();
  if (!field_.empty() && field_ == field) return;
  field_ = field;
  back_.push_back(before);
  if (back_.size() > kDepth) back_.erase(back_.begin());
}

std::optional<Choice> Undo::undo(const Choice& now) {
  endGesture();
  return take(back_, forward_, now);
}

std::optional<Choice> Undo::redo(const Choice& now) {
  endGesture();
  return take(forward_, back_, now);
}

}  // namespace tilestep::model
