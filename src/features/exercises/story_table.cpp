// SPDX-License-Identifier: Apache-2.0
#include "features/exercises/story_table.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/sentence.h"
#include "features/exercises/view.h"
#include "model/export/table_parts.h"
#include "model/snapshot.h"
#include "model/text/step_text.h"
#include "trace/replay.h"

namespace tilestep::features {
namespace {

std::string afterBarriers(uint32_t epoch) {
  if (epoch == 0) return "before any barrier";
  return "after " + std::to_string(epoch) + (epoch == 1 ? " barrier" : " barriers");
}

std::string storeText(const TracedKernel& kernel, const StoredBy& store) {
  std::string text =
      capitalised(threadText(kernel, store.thread)) + " stored " + valueText(store.value);
  if (store.line > 0) text += " at line " + std::to_string(store.line);
  return text + ", " + afterBarriers(store.epoch) + ".";
}

const char* stateText(OutputCell::State state) {
  switch (state) {
    case OutputCell::State::elsewhere:
      return "not stored by this block";
    case OutputCell::State::unknown:
      return "unknown";
    case OutputCell::State::right:
      return "right";
    case OutputCell::State::wrong:
      return "wrong";
  }
  return "";
}

std::string cellPlaceOf(const OutputCells& cells, size_t i) {
  if (cells.rows == 1) return cells.name + "[" + std::to_string(i) + "]";
  return cells.name + "[" + std::to_string(i / cells.columns) + "][" +
         std::to_string(i % cells.columns) + "]";
}

}  // namespace

size_t ExercisesView::passed() const {
  size_t count = 0;
  for (const ExerciseState state : states) count += state == ExerciseState::passed ? 1 : 0;
  return count;
}

std::string valueText(double value) {
  std::array<char, 40> text{};
  constexpr double kMostWhole = 1e6;
  const bool isWhole = value == std::floor(value) && std::fabs(value) < kMostWhole;
  std::snprintf(text.data(), text.size(), isWhole ? "%.0f" : "%.4g", value);
  return text.data();
}

std::string threadText(const TracedKernel& kernel, uint32_t thread) {
  const Dim3& shape = kernel.replay->recording().blockShape;
  const Dim3 place = trace::threadOf(thread, shape);
  std::string text = "thread (" + std::to_string(place.x) + ", " + std::to_string(place.y);
  if (shape.z > 1) text += ", " + std::to_string(place.z);
  return text + ")";
}

Table exerciseTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  const auto& view = now.view<ExercisesView>();
  if (!view.cells) return out;
  out.title = view.openExercise()->title + ": " + view.cells->name + " as one block leaves it, " +
              view.launch;
  out.columns = {"element", "expected", "value", "state"};
  const OutputCells& cells = *view.cells;
  for (size_t i = 0; i < cells.cells.size(); ++i) {
    const bool stored = cells.cells[i].state == OutputCell::State::right ||
                        cells.cells[i].state == OutputCell::State::wrong;
    add(out, {cellPlaceOf(cells, i), number(cells.expected.values[i]),
              stored ? number(cells.cells[i].value) : "", stateText(cells.cells[i].state)});
  }
  return out;
}

Table originTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  const auto& view = now.view<ExercisesView>();
  if (!view.story || !now.main) return out;
  const TracedKernel& kernel = *now.main->side;
  out.title = storyText(kernel, *view.story);
  out.columns = {"line", "barriers before", "read", "value", "holds", "remark"};
  for (const StoryRead& read : view.story->reads)
    add(out, {read.line > 0 ? whole(read.line) : "", whole(read.epoch), read.name,
              number(read.value), read.element, remarkOf(kernel, *view.story, read)});
  return out;
}

std::string storyText(const TracedKernel& kernel, const ElementStory& story) {
  std::string text = story.name + " should be " + valueText(story.expected) + ".";
  if (story.stores.empty()) return text + " No thread of this block stores it.";
  for (size_t i = 0; i < story.stores.size(); ++i) {
    constexpr size_t kMost = 3;
    if (i + 1 < story.stores.size() && i >= kMost) continue;
    text += " " + storeText(kernel, story.stores[i]);
  }
  for (const std::string& missing : story.missing) text += " It never read " + missing + ".";
  return text;
}

std::string remarkOf(const TracedKernel& kernel, const ElementStory& story, const StoryRead& read) {
  std::vector<std::string> remarks;
  if (read.needed && !*read.needed) remarks.push_back(story.name + " does not depend on it");
  if (read.unwritten) remarks.emplace_back("never written");
  if (read.by) remarks.push_back("written by " + threadText(kernel, *read.by));
  if (read.racesWith)
    remarks.push_back(threadText(kernel, *read.racesWith) +
                      " writes it without a barrier in between");
  return joined(remarks, "; ");
}

}  // namespace tilestep::features
