// SPDX-License-Identifier: Apache-2.0
// Sums: how a block adds up an array, one round at a time.
#include "model/feature.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "features/lab_times/view.h"
#include "features/labs/view.h"
#include "features/sums/view.h"
#include "model/export/table_parts.h"
#include "model/model.h"
#include "model/text/traffic.h"
#include "trace/replay.h"

namespace tilestep::features::sums {
namespace {

std::string titleOf(const TracedKernel& kernel, const SumTree& tree) {
  std::string text = "How a block of " + kernel.shortName + " adds up " + tree.array + ", in " +
                     (tree.shared ? "shared" : "global") + " memory, from its trace";
  if (tree.unexplained > 0)
    text += ". " + whole(tree.unexplained) +
            " stored values are not sums of values that their threads loaded";
  return text + ". An addition counts in the row where its sum is stored";
}

std::vector<std::string> cellsOf(const SumTree& tree, const SumRow& row) {
  const uint32_t threads = row.threads(), warps = row.warps();
  const std::string lanes = warps == 0 ? "" : number(threads / (32.0 * warps));
  const auto counted = [](bool is, uint64_t count) { return is ? whole(count) : std::string(); };
  return {rowName(row),
          distancesText(row),
          whole(row.sums.size()),
          whole(row.needed),
          whole(row.additions),
          whole(threads),
          whole(warps),
          lanes,
          counted(row.wavefronts > 0, row.wavefronts),
          counted(row.wavefronts > 0, row.conflicts),
          counted(row.sectors > 0, row.sectors),
          tree.array};
}

Table sumsTable(const Snapshot& now, const TableOptions& options) {
  Table out;
  const auto& step = stepOf(now, options);
  if (!step) return out;
  const SumTree tree = sumTreeOf(*step->side);
  if (tree.rows.empty()) return out;
  out.title = titleOf(*step->side, tree);
  out.columns = {"step",
                 "distance",
                 "sums",
                 "needed sums",
                 "additions",
                 "active threads",
                 "active warps",
                 "share of their lanes",
                 "shared wavefronts",
                 "bank conflicts",
                 "global sectors",
                 "array"};
  for (const SumRow& row : tree.rows) add(out, cellsOf(tree, row));
  return out;
}

Table ladderTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  const auto& ladder = now.view<SumsView>().ladder;
  if (!ladder) return out;
  const auto& times = now.view<LabTimesView>();
  out.title = "Comparison of the lab's sums: counts by the interpreter, of " +
              whole(kCountedElements) + " elements";
  const auto timed = std::ranges::find_if(
      times.ladder, [](const LabTime& time) { return time.measuredSeconds.has_value(); });
  if (timed != times.ladder.end()) out.title += "; times: " + timed->sizes + ", " + timed->on;
  out.columns = {"kernel",         "warp instructions", "lanes active", "barriers",
                 "bank conflicts", "global sectors",    "time (s)",     "input read (B/s)"};
  for (const SumRung& rung : ladder->rungs) {
    std::vector<std::string> cells(out.columns.size());
    cells[0] = rung.kernel;
    if (const LabTime* time = times.ladderTime(rung.kernel)) {
      cells[6] = number(time->measuredSeconds);
      cells[7] = number(time->readRate());
    }
    if (rung.counts) {
      const SumFigures& f = *rung.counts;
      cells[1] = whole(f.warpInstructions);
      cells[2] = number(f.activeLanes);
      cells[3] = whole(f.barriers);
      cells[4] = whole(f.conflicts);
      cells[5] = whole(f.sectors);
    }
    add(out, std::move(cells));
  }
  return out;
}

constexpr Job kJob{SumsView::kFeature, Urgency::count};

class Sums : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return kJob.name; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"sums", "sums by round", sumsTable},
            {"sum_ladder", "comparison of the lab's sums", ladderTable}};
  }
  /// Requests the ladder's counts one after another while the ladder is visible.
  void poll(Model& model) override {
    if (model.shown) openLadder(model);
    const std::optional<Request> wanted = looksAtLadder() ? runs_.wanted() : std::nullopt;
    if (!wanted) {
      if (!std::exchange(asked_, {}).empty()) model.jobs.drop(kJob);
      return;
    }
    if (model.jobs.waitsOrRuns(kJob) && asked_ == wanted->key) return;
    asked_ = wanted->key;
    model.jobs.want(kJob, *wanted, model.now);
  }
  void accept(const Arrival& arrival, Model& model) override {
    const std::optional<Request> wanted = runs_.wanted();
    if (!wanted || arrival.key != wanted->key) return;
    if (const auto* result = worker::resultOf(arrival.reply))
      runs_.accept(*result);
    else if (const Error* error = std::get_if<Error>(&arrival.reply.body))
      runs_.acceptError(error->message);
    ladder_ = std::make_shared<const SumLadder>(runs_.ladder());
    model.changed = true;
  }
  bool apply(const Command& command, Model& model) override {
    static const auto table =
        CommandTable<Sums>().add("watch", &Sums::watch).add("ladder", &Sums::showLadder);
    return table.apply(*this, model, command);
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Shown now = shownAt(moment);
    if (view_ && shown_ == now) return view_;
    shown_ = now;
    auto view = std::make_shared<SumsView>();
    view->ladder = now.ladder;
    view->isLadder = now.isLadder;
    view->lab = now.lab;
    view->device = now.device;
    view->isRecorded = now.isRecorded;
    view->coming = now.coming;
    if (now.step) addTree(*view);
    view_ = view;
    return view_;
  }

 private:
  void showLadder(Model& model, bool shown) {
    if (std::exchange(isLadder_, shown) != shown) model.changed = true;
  }
  [[nodiscard]] bool looksAtLadder() const { return watched_ && isLadder_ && ladder_ != nullptr; }

  /// Collects the kernels of this view's lab, with their default values.
  void openLadder(Model& model) {
    const auto& labs = model.shown->view<LabsView>().labs;
    if (!watched_ || !labs || std::exchange(ladderOf_, model.resolved) == model.resolved) return;
    const auto lab = std::ranges::find(*labs, Stage::sums, &Lab::stage);
    if (lab == labs->end()) return;
    lab_ = lab->id;
    std::vector<compile::CatalogueEntry> kernels;
    for (const LabKernel& kernel : lab->kernels)
      if (const compile::CatalogueEntry* entry = model.resolved->find(kernel.name))
        kernels.push_back(*entry);
    if (!runs_.open(kernels)) return;
    ladder_ = std::make_shared<const SumLadder>(runs_.ladder());
    model.changed = true;
  }

  /// Whether the view is visible. While it is hidden, its data is discarded.
  void watch(Model& model, bool watched) {
    if (std::exchange(watched_, watched) == watched) return;
    model.changed = true;
    if (watched) return;
    view_.reset();
    shown_ = {};
    of_.reset();
    tree_.reset();
    picture_.reset();
  }

  void addTree(SumsView& view) {
    const TracedStep& step = *shown_.step;
    if (std::exchange(of_, step.side) != step.side) {
      tree_ = std::make_shared<const SumTree>(sumTreeOf(*of_));
      picture_ = std::make_shared<const SumPicture>(sumPictureOf(*tree_));
    }
    view.tree = tree_;
    view.picture = picture_;
    view.of = of_;
    view.figures = sumFiguresOf(*of_->result);
    view.counted = countedText(*of_);
    view.firstEvent = step.step.firstEvent;
    view.lastEvent = step.step.lastEvent;
    view.row = rowUpTo(*tree_, view.lastEvent);
    view.times = rowTimesOf(*tree_, view.firstEvent, view.lastEvent);
    view.sentence = sentenceOf(view, shown_.thread);
  }

  [[nodiscard]] std::string sentenceOf(const SumsView& view,
                                       const std::optional<Dim3>& thread) const {
    if (tree_->rows.empty())
      return "According to its trace, this block does not add elements of an array to each "
             "other. This view is for reductions.";
    if (!view.row) return "Nothing has been loaded yet.";
    std::optional<uint32_t> number;
    if (thread) number = trace::numberOf(*thread, of_->replay->recording().blockShape);
    const auto rows = static_cast<size_t>(std::ranges::count(view.times, RowTime::now));
    const std::string several = rows > 1
                                    ? "This step consists of " + whole(rows) +
                                          " rounds. Press 3 to step through them. The last round: "
                                    : "";
    return several + rowSentence(*of_, *tree_, tree_->rows[*view.row], number);
  }

  /// The inputs from which a view is computed.
  struct Shown {
    std::shared_ptr<const TracedStep> step;  ///< Null while the view is hidden.
    std::optional<Dim3> thread;
    std::shared_ptr<const SumLadder> ladder;
    std::string lab, device;
    bool isRecorded = false, isLadder = false, coming = false;
    bool operator==(const Shown&) const = default;
  };
  [[nodiscard]] Shown shownAt(const Moment& moment) const {
    Shown now;
    if (watched_) now.step = moment.shared.main;
    now.thread = moment.model.choice.thread;
    now.ladder = ladder_;
    now.isLadder = isLadder_ && ladder_ != nullptr;
    now.coming = looksAtLadder() && runs_.wanted().has_value();
    if (looksAtLadder()) now.lab = lab_;
    if (!moment.resolved.measures()) return now;
    now.device = deviceText(*moment.resolved.device);
    now.isRecorded = !moment.resolved.device->recordedOn.empty();
    return now;
  }

  bool watched_ = false, isLadder_ = false;
  Shown shown_;
  std::shared_ptr<const SumsView> view_;
  std::shared_ptr<const TracedKernel> of_;
  std::shared_ptr<const SumTree> tree_;
  std::shared_ptr<const SumPicture> picture_;
  ResolvedPointer ladderOf_;  ///< The choice that determined the ladder's kernels.
  std::string lab_;           ///< The id of the ladder's lab.
  SumLadderRuns runs_;
  std::shared_ptr<const SumLadder> ladder_;
  std::string asked_;  ///< The key of the requested run.
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Sums>();
}

}  // namespace tilestep::features::sums
