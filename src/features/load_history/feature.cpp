// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "features/load_history/load_history.h"
#include "model/export/table_parts.h"
#include "model/snapshot.h"

namespace tilestep::features::load_history {
namespace {

Table storyTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  if (!now.view<LoadHistoryView>().story) return out;
  const LoadHistory& story = *now.view<LoadHistoryView>().story;
  out.title =
      "What this block has loaded from global memory so far, phase by phase; the last line "
      "includes loads outside of all phases. " +
      whole(now.view<LoadHistoryView>().phasesOver) + " of " + whole(story.phases()) +
      " phases are over.";
  out.columns = {"kernel", "phases of " + story.main.name + " over", "element loads", "L1 sectors",
                 "elements that the block makes"};
  for (const StoryLine* line : {&story.companion, &story.main})
    for (size_t i = 0; i < line->points.size(); ++i) {
      const bool last = i + 1 == line->points.size();
      add(out,
          {line->name,
           number(last ? static_cast<double>(story.phases())
                       : static_cast<double>(i) * line->every),
           whole(line->points[i].asked), whole(line->points[i].sectors), whole(line->elements)});
    }
  return out;
}

class LoadsAsPhasesPass : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return LoadHistoryView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"story", "loads by phase", storyTable}};
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Snapshot& shared = moment.shared;
    if (!shared.main) return nullptr;
    if (main_ != shared.mainKernel || companion_ != shared.companionKernel) {
      main_ = shared.mainKernel;
      companion_ = shared.companionKernel;
      story_ = storyOf(*main_, companion_.get());
    }
    auto view = std::make_shared<LoadHistoryView>();
    view->story = story_;
    if (story_) view->phasesOver = phasesOver(*story_, *shared.main);
    return view;
  }

 private:
  std::shared_ptr<const TracedKernel> main_, companion_;  ///< The kernels of the stored story.
  std::shared_ptr<const LoadHistory> story_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<LoadsAsPhasesPass>();
}

}  // namespace tilestep::features::load_history
