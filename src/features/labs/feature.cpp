// SPDX-License-Identifier: Apache-2.0
// Labs: the list of labs, the prediction that precedes a lab, and the kernels of the open lab.
#include "model/feature.h"

#include <algorithm>
#include <map>
#include <utility>

#include "features/labs/comparison.h"
#include "features/labs/view.h"
#include "features/lessons/view.h"
#include "model/files/saved.h"
#include "model/model.h"

namespace tilestep::features::labs {
namespace {

SceneRequest sceneOf(const LabKernel& kernel) {
  SceneRequest scene;
  scene.kernel = kernel.name;
  scene.tunables = kernel.tunables;
  scene.sizes = kernel.sizes;
  return scene;
}

class Labs : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return LabsView::kFeature; }

  void restore(const Place& place, Model& /*model*/) override { predicted_ = place.predictions; }
  void save(Place& place) const override { place.predictions = predicted_; }

  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Labs>()
                                  .add("open", &Labs::open)
                                  .add("predict", &Labs::predict)
                                  .add("skip", &Labs::skip)
                                  .add("leave", &Labs::leave)
                                  .add("kernel", &Labs::showKernel);
    return table.apply(*this, model, command);
  }

  /// Reads the labs, after the kernels that they use.
  void want(Model& model) override {
    if (labs_) return;
    std::vector<Error> errors;
    labs_ = std::make_shared<const std::vector<Lab>>(
        readLabs(model.options.home, *model.kernels.catalogue(), &errors));
    if (errors.empty()) return;
    const Error& first = errors.front();
    model.say({Notice::Kind::error,
               "labs",
               "This lab cannot be used: " + first.message,
               placeOf(first),
               {}});
  }

  /// Detects that the lab's lesson was closed, or that another lesson replaced it.
  void poll(Model& model) override {
    if (!open_ || predicting_) return;
    const auto& lessons = model.shown->view<LessonsView>();
    const bool here = lessons.lesson && lessons.file == lessonOf(model);
    const bool was = std::exchange(inLesson_, here);
    if (was && !here) leave(model);
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    auto view = std::make_shared<LabsView>();
    view->labs = labs_;
    view->open = open_;
    view->predicting = predicting_;
    if (open_ && !predicting_) {
      view->shown = shownKernel(moment.shared);
      const auto given = predicted_.find(lab().id);
      if (given != predicted_.end() && isPossible(lab().prediction, given->second))
        view->comparison = comparisonOf(lab().prediction, given->second);
    }
    return view;
  }

 private:
  /// Asks for the prediction first, unless it exists and the lab's lesson has begun.
  bool open(Model& model, const std::string& id) {
    if (!labs_) return false;
    const auto at = std::ranges::find(*labs_, id, &Lab::id);
    if (at == labs_->end()) return false;
    open_ = static_cast<size_t>(at - labs_->begin());
    inLesson_ = false;
    predicting_ = !predicted_.contains(id) || !isBegun(model);
    if (!predicting_) begin(model);
    return model.changed = true;
  }

  bool predict(Model& model, double value) {
    if (!predicting_ || !isPossible(lab().prediction, value)) return false;
    predicted_[lab().id] = value;
    begin(model);
    return true;
  }

  bool skip(Model& model) {
    if (!predicting_) return false;
    predicted_.erase(lab().id);
    begin(model);
    return true;
  }

  void leave(Model& model) {
    open_.reset();
    predicting_ = false;
    model.changed = true;
  }

  /// Opens the lesson. Its step sets kernel, tunables, sizes and view in a single change.
  void begin(Model& model) {
    predicting_ = false;
    model.ask(command("lessons.open", lessonOf(model)));
    model.changed = true;
  }

  /// Shows one of the lab's kernels with the lab's values.
  bool showKernel(Model& model, size_t index) {
    if (!open_ || predicting_ || index >= lab().kernels.size()) return false;
    const SceneRequest scene = sceneOf(lab().kernels[index]);
    model.change("lab", [&](Choice& choice) { choose(scene, *model.devices, choice); });
    model.endGesture();
    return true;
  }

  [[nodiscard]] bool isBegun(const Model& model) const {
    const std::vector<LessonEntry>& all = model.shown->view<LessonsView>().lessons;
    const auto entry = std::ranges::find(all, lessonOf(model), &LessonEntry::file);
    return entry != all.end() && entry->at;
  }

  [[nodiscard]] std::optional<size_t> shownKernel(const Snapshot& now) const {
    const auto holds = [](const compile::Bindings& all, const compile::Bindings& some) {
      return std::ranges::all_of(some, [&](const auto& one) {
        const auto at = all.find(one.first);
        return at != all.end() && at->second == one.second;
      });
    };
    const auto at = std::ranges::find_if(lab().kernels, [&](const LabKernel& kernel) {
      return kernel.name == now.choice.kernel && holds(now.tunables, kernel.tunables) &&
             holds(now.sceneSizes, kernel.sizes);
    });
    if (at == lab().kernels.end()) return std::nullopt;
    return static_cast<size_t>(at - lab().kernels.begin());
  }

  [[nodiscard]] const Lab& lab() const { return (*labs_)[*open_]; }
  [[nodiscard]] std::string lessonOf(const Model& model) const {
    return lessonFile(model.options.home, lab().lesson);
  }

  std::shared_ptr<const std::vector<Lab>> labs_;  ///< Null until the labs are read.
  std::optional<size_t> open_;
  bool predicting_ = false;
  bool inLesson_ = false;                    ///< The open lab's lesson is open.
  std::map<std::string, double> predicted_;  ///< The user's predictions, by lab.
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Labs>();
}

}  // namespace tilestep::features::labs
