// SPDX-License-Identifier: Apache-2.0
#include "model/shared_commands.h"

#include "base/figure.h"
#include "model/model.h"

namespace tilestep::model {
namespace {

struct ChoiceCommands {
  void kernel(Model& model, const std::string& nameOrPath) {
    const std::string name = model.takeKernel(nameOrPath);
    model.change("kernel", [&](Choice& choice) {
      choice.kernel = name;
      choice.withoutBarrier = 0;
      choice.comparison.block.reset();
      addLinkedSizes(model, choice);
    });
    model.endGesture();
  }

  /// Linked sizes share one value, which also applies to sizes that the previous kernel did not
  /// have.
  static void addLinkedSizes(const Model& model, Choice& choice) {
    compile::Bindings& values = choice.scene.values;
    const compile::CatalogueEntry* entry = findEntry(*model.kernels.catalogue(), choice.kernel);
    if (values.empty() || !choice.scene.linked || entry == nullptr || !entry->spec) return;
    const int64_t one = values.begin()->second;
    for (const auto& [name, usual] : entry->spec->sizes) values.try_emplace(name, one);
  }

  void sceneSize(Model& model, const std::string& name, int64_t value) {
    model.change("scene " + name, [&](Choice& choice) {
      compile::Bindings& values = choice.scene.values;
      for (const auto& [size, now] : model.shown->sceneSizes)
        if (choice.scene.linked || !values.contains(size))
          values[size] = choice.scene.linked ? value : now;
      values[name] = value;
    });
  }

  void followTile(Model& model) {
    model.change("scene", [](Choice& choice) { choice.scene.values.clear(); });
    model.endGesture();
  }

  void measureSize(Model& model, const std::string& name, int64_t value) {
    model.change("measure " + name, [&](Choice& choice) {
      if (choice.measure.linked)
        for (const auto& [size, now] : model.shown->measureSizes)
          choice.measure.values[size] = value;
      choice.measure.values[name] = value;
    });
  }

  void linkScene(Model& model, bool linked) {
    model.change("link", [&](Choice& choice) { choice.scene.linked = linked; });
    model.endGesture();
  }

  void linkMeasured(Model& model, bool linked) {
    model.change("link", [&](Choice& choice) { choice.measure.linked = linked; });
    model.endGesture();
  }

  void device(Model& model, const std::string& id) {
    model.change("device", [&](Choice& choice) { choice.device = id; });
    model.endGesture();
  }

  void block(Model& model, const Dim3& block) {
    model.change("block", [&](Choice& choice) {
      choice.block = block;
      choice.comparison.block.reset();  // The companion's block follows the main block again.
    });
    model.endGesture();
  }
};

struct StepCommands {
  void move(Model& model, Move where) {
    model.stepper.play(false, model.now);
    const bool moved = model.stepper.move(where);
    model.changed = true;
    if (!moved && where == Move::forward) nextBlock(model);
  }

  bool go(Model& model, size_t index) { return moved(model, model.stepper.goTo(index)); }
  bool share(Model& model, double share) { return moved(model, model.stepper.goToShare(share)); }
  bool phase(Model& model, uint32_t phase) { return moved(model, model.stepper.goToPhase(phase)); }

  void grain(Model& model, trace::StepGranularity grain) {
    model.stepper.setGrain(grain);
    model.changed = true;
  }

  void play(Model& model, bool playing) {
    model.stepper.play(playing, model.now);
    model.changed = true;
  }

  /// Goes to the first step of the grid's next block, row by row. After the last block, shows a
  /// notice.
  static void nextBlock(Model& model) {
    if (!model.sceneIsCurrent() || !model.resolved->plan) return;
    const Dim3& grid = model.resolved->plan->launches.front().grid;
    Dim3 next = model.resolved->block;
    if (grid.count() < 2) return;
    if (++next.x == grid.x) {
      next.x = 0;
      ++next.y;
    }
    if (next.y == grid.y) {
      next.y = 0;
      ++next.z;
    }
    if (next.z == grid.z)
      return model.say({Notice::Kind::info,
                        "last block",
                        "That was the last step of the last of " + grouped(grid.count()) +
                            " blocks. Home goes to this block's first step.",
                        {},
                        {}});
    const ScenePosition first{model.stepper.grain(), model.stepper.ofThread(), 0};
    ChoiceCommands().block(model, next);
    model.place = first;
  }

  void speed(Model& model, double stepsPerSecond) {
    model.stepper.setSpeed(stepsPerSecond);
    model.changed = true;
  }

 private:
  static bool moved(Model& model, bool moved) {
    model.changed |= moved;
    return moved;
  }
};

struct FigureCommands {
  void again(Model& model) {
    model.figures.measured.mainKey.clear();
    ask(model);
  }

  /// Counts the measured launch on the interpreter, which may take a while.
  void count(Model& model) {
    model.figures.countWanted = true;
    ask(model);
  }

  void cancel(Model& model) {
    model.figures.countWanted = false;
    model.figures.hardwareFor.clear();
    model.jobs.drop(kCountJob);
    model.jobs.drop(kReferenceJob);
    model.changed = true;
  }

  /// Runs the measured launch on the interpreter instead of the GPU, with all checks.
  void interpret(Model& model) {
    ChoiceCommands().device(model, "simt");
    count(model);
  }

  /// Reads the GPU's hardware counters for the measured launches as soon as nothing more urgent is
  /// requested. Needs a few more runs.
  void hardware(Model& model) {
    model.figures.hardwareFor = model.wanted.measureMain;
    ask(model);
  }

 private:
  static void ask(Model& model) { model.choiceChanged = model.changed = true; }
};

struct NoticeCommands {
  void dismiss(Model& model, const std::string& about) {
    model.clearNotice(about);
    model.changed = true;
  }
};

template <class Self>
bool applyTo(const CommandTable<Self>& table, const Command& command, Model& model) {
  Self self;
  return table.apply(self, model, command);
}

}  // namespace

bool applyShared(const Command& command, Model& model) {
  static const auto choices = CommandTable<ChoiceCommands>()
                                  .add("kernel", &ChoiceCommands::kernel)
                                  .add("scene_size", &ChoiceCommands::sceneSize)
                                  .add("follow_tile", &ChoiceCommands::followTile)
                                  .add("measure_size", &ChoiceCommands::measureSize)
                                  .add("link_scene", &ChoiceCommands::linkScene)
                                  .add("link_measured", &ChoiceCommands::linkMeasured)
                                  .add("device", &ChoiceCommands::device)
                                  .add("block", &ChoiceCommands::block);
  static const auto steps = CommandTable<StepCommands>()
                                .add("move", &StepCommands::move)
                                .add("go", &StepCommands::go)
                                .add("share", &StepCommands::share)
                                .add("phase", &StepCommands::phase)
                                .add("grain", &StepCommands::grain)
                                .add("play", &StepCommands::play)
                                .add("speed", &StepCommands::speed);
  static const auto figures = CommandTable<FigureCommands>()
                                  .add("again", &FigureCommands::again)
                                  .add("count", &FigureCommands::count)
                                  .add("cancel", &FigureCommands::cancel)
                                  .add("interpret", &FigureCommands::interpret)
                                  .add("hardware", &FigureCommands::hardware);
  static const auto notices =
      CommandTable<NoticeCommands>().add("dismiss", &NoticeCommands::dismiss);
  if (command.feature == "choice") return applyTo(choices, command, model);
  if (command.feature == "steps") return applyTo(steps, command, model);
  if (command.feature == "figures") return applyTo(figures, command, model);
  if (command.feature == "notices") return applyTo(notices, command, model);
  return false;
}

}  // namespace tilestep::model
