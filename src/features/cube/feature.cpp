// SPDX-License-Identifier: Apache-2.0
// The product's m × n × k cube: the positions of the traced block's multiply-adds.
#include "model/feature.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "features/cube/cube_text.h"
#include "features/cube/view.h"
#include "model/model.h"

namespace tilestep::features::cube {
namespace {

Table tableOfCube(const Snapshot& now, const TableOptions& options) {
  const auto& step = stepOf(now, options);
  if (!step) return {};
  const auto& view = now.view<CubeView>();
  if (view.cube && view.of == step->side)
    return view.cube->trouble.empty() ? cubeTable(*view.cube, *view.of) : Table();
  const CubeTrace cube = cubeTraceOf(*step->side);
  return cube.trouble.empty() ? cubeTable(cube, *step->side) : Table();
}

/// Cubes of longer traces are computed on another thread, so that no frame waits for them.
constexpr size_t kShortTrace = 4096;

class Cube : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return CubeView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"cube", "the cube's multiply-adds", tableOfCube}};
  }
  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Cube>().add("watch", &Cube::watch);
    return table.apply(*this, model, command);
  }

  void poll(Model& model) override {
    std::erase_if(making_, [&](Making& making) {
      if (making.cube.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
      std::shared_ptr<const CubeTrace> cube = making.cube.get();
      if (making.of != of_) return true;
      cube_ = std::move(cube);
      shown_.reset();
      return model.changed = true;
    });
  }
  [[nodiscard]] bool works() const override { return !making_.empty(); }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const std::shared_ptr<const TracedStep>& main = moment.shared.main;
    if (!watched_ || !main) return std::make_shared<CubeView>();
    if (shown_ && std::exchange(step_, main) == main) return shown_;
    step_ = main;
    if (std::exchange(of_, main->side) != main->side) makeCube();
    auto view = std::make_shared<CubeView>();
    view->of = of_;
    view->cube = cube_;
    view->pending = cube_ == nullptr;
    if (cube_ && cube_->trouble.empty())
      view->step = std::make_shared<const CubeStep>(cubeStepOf(*cube_, *main));
    shown_ = view;
    return view;
  }

 private:
  /// A cube that another thread is computing.
  struct Making {
    std::shared_ptr<const TracedKernel> of;
    std::future<std::shared_ptr<const CubeTrace>> cube;
  };

  void makeCube() {
    const auto make = [of = of_] { return std::make_shared<const CubeTrace>(cubeTraceOf(*of)); };
    cube_.reset();
    if (of_->replay->recording().size() <= kShortTrace)
      cube_ = make();
    else if (std::ranges::find(making_, of_, &Making::of) == making_.end())
      making_.push_back({of_, std::async(std::launch::async, make)});
  }

  /// Whether the cube is visible. While it is hidden, its data is discarded.
  void watch(Model& model, bool watched) {
    if (std::exchange(watched_, watched) == watched) return;
    model.changed = true;
    if (watched) return;
    shown_.reset();
    cube_.reset();
    step_.reset();
    of_.reset();
  }

  bool watched_ = false;
  std::shared_ptr<const TracedKernel> of_;
  std::shared_ptr<const TracedStep> step_;
  std::shared_ptr<const CubeTrace> cube_;
  std::shared_ptr<const CubeView> shown_;
  std::vector<Making> making_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Cube>();
}

}  // namespace tilestep::features::cube
