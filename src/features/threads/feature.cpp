// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "model/export/table_parts.h"
#include "model/snapshot.h"
#include "model/text/step_text.h"

namespace tilestep::features::threads {
namespace {

using namespace model;

const TracedStep* stepOf(const Snapshot& now, bool companion) {
  return companion && now.companion ? now.companion.get() : now.main.get();
}

Table threadsTable(const Snapshot& now, const TableOptions& options) {
  Table out{
      "Who does what: " + now.position.text + ".", {"thread (tx, ty)", "warp", "does"}, {}, false};
  const auto& lines = options.companion && now.companion ? now.companionLines : now.mainLines;
  if (!lines) return out;
  for (const ThreadLine& line : *lines) add(out, {line.name, whole(line.warp), line.text});
  return out;
}

Table threadTable(const Snapshot& now, const TableOptions& options) {
  Table out;
  const TracedStep* step = stepOf(now, options.companion);
  if (step == nullptr) return out;
  const auto& view = step == now.main.get() ? now.mainThread : now.companionThread;
  auto story = step == now.main.get() ? now.mainStory : now.companionStory;
  const auto& work = step == now.main.get() ? now.mainWork : now.companionWork;
  if (!story && work) story = std::make_shared<const ThreadStory>(*work, 0);
  if (!story || story->side() != step->side) return out;
  const auto told = view ? view : story->viewAt(*step);
  out.title = "Thread " + told->name + " of " + step->side->shortName +
              (told->makes.empty() ? "" : ", which makes " + told->makes) +
              (told->reads.empty() ? "" : " from " + told->reads) + ": all of its events";
  out.columns = {"event", "epoch", "line", "does"};
  const trace::Recording& recording = step->side->replay->recording();
  for (const uint32_t event : story->events()) {
    const trace::TraceEvent at = recording.event(event);
    add(out,
        {std::to_string(event), std::to_string(at.epoch), std::to_string(step->side->lineOf(at)),
         doingText(*step->side, event, story->thread())});
  }
  return out;
}

class Threads : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "threads"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"threads", "who does what", threadsTable}, {"thread", "one thread", threadTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Threads>();
}

}  // namespace tilestep::features::threads
