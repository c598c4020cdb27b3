// SPDX-License-Identifier: Apache-2.0
#include "app/record_plan.h"

#include <algorithm>
#include <utility>

#include "app/environment.h"
#include "lab/recording/recording_make.h"

namespace tilestep::app {
namespace {

/// The content of a typical lecture: kernels, and the sides of the matrices.
const std::vector<std::string> kUsualKernels{"matmul_naive",         "matmul_tiled",
                                             "matmul_tiled_dynamic", "matmul_tiled_free",
                                             "matmul_tiled_swapped", "transpose"};
const std::string kUsualSizes = "64,256,512,1024,2048,4096";

/// The NAME=VALUES that apply to this kernel: unprefixed ones if it has the tunable, and those with
/// the prefix of its name.
std::vector<std::string> tunablesFor(const std::vector<std::string>& all,
                                     const compile::KernelSpec& spec, bool onlyKernel) {
  std::vector<std::string> mine;
  for (const std::string& text : all) {
    const std::string name = text.substr(0, text.find('='));
    const size_t dot = name.find('.');
    const auto has = [&](const compile::TunableSpec& one) { return one.name == name; };
    if (dot != std::string::npos) {
      if (name.substr(0, dot) == spec.name) mine.push_back(text.substr(dot + 1));
    } else if (onlyKernel || std::ranges::any_of(spec.tunables, has)) {
      mine.push_back(text);  // A single kernel rejects unknown tunables later.
    }
  }
  return mine;
}

/// One kernel with the values of its sizes and tunables.
struct KernelAxes {
  Kernel kernel;
  uint32_t index = 0;
  std::vector<lab::Point> sizes, tunables;
};

Result<KernelAxes> kernelAxes(const std::string& name, Choice choice, bool onlyKernel,
                              bool defaults) {
  Result<Kernel> kernel = loadKernel(name, choice.entry);
  if (!kernel) return kernel.error();
  sayNotes(*kernel);
  choice.tunables = tunablesFor(choice.tunables, kernel->spec, onlyKernel);
  if (choice.sizes.empty() && choice.m.empty() && choice.n.empty() && choice.k.empty())
    choice.sizes = {kUsualSizes};
  Result<Axes> axes = axesOf(choice, kernel->spec);
  if (!axes) return axes.error();
  for (const compile::TunableSpec& tunable : kernel->spec.tunables) {
    const auto named = [&](const lab::Axis& axis) { return axis.names.front() == tunable.name; };
    if (std::ranges::any_of(axes->tunables, named)) continue;
    const std::vector<int64_t> own{tunable.defaultValue};
    axes->tunables.push_back({{tunable.name}, defaults ? own : lab::usualValues(tunable)});
  }
  Result<std::vector<lab::Point>> sizes = lab::combinations(axes->sizes);
  if (!sizes) return sizes.error();
  Result<std::vector<lab::Point>> tunables = lab::combinations(axes->tunables);
  if (!tunables) return tunables.error();
  return KernelAxes{std::move(kernel).value(), 0, std::move(sizes).value(),
                    std::move(tunables).value()};
}

compile::Bindings bindingsOf(const lab::Point& point) {
  return {point.begin(), point.end()};
}

/// With `timings`, the point must also contain the launch's timings.
bool holds(const lab::DeviceRecording& recording, uint32_t kernel, const compile::Plan& plan,
           bool timings = false) {
  return std::ranges::any_of(recording.points, [&](const lab::RecordedPoint& point) {
    return point.kernel == kernel && point.sizes == plan.sizes && point.tunables == plan.tunables &&
           !(timings && point.timings.empty());
  });
}

/// A kernel of a lab whose time the lab shows.
struct TimedKernel {
  Kernel kernel;
  model::LabKernel shown;
  bool timings = false;  ///< Lab::timings
};

/// Adds the lab's launch to `points` if it is not there yet. Requests timings if any lab needs
/// them.
void addOnce(RecordPoint point, bool timings, std::vector<RecordPoint>& points) {
  const auto at = std::ranges::find_if(points, [&](const RecordPoint& one) {
    return one.kernel == point.kernel && one.experiment.sizes == point.experiment.sizes &&
           one.experiment.tunables == point.experiment.tunables;
  });
  RecordPoint& kept = at != points.end() ? *at : points.emplace_back(std::move(point));
  kept.experiment.timings |= timings;
}

}  // namespace

Result<std::vector<RecordPoint>> recordPlan(const std::vector<std::string>& kernels,
                                            const Choice& choice, bool defaults, bool replace,
                                            const Limits& device, uint64_t timelineBlocks,
                                            lab::DeviceRecording& recording) {
  const std::vector<std::string>& names = kernels.empty() ? kUsualKernels : kernels;
  if (!choice.entry.empty() && names.size() > 1)
    return requestError("--entry applies to one kernel; record the others with separate commands");
  std::vector<KernelAxes> all;
  size_t mostSizes = 0;
  for (const std::string& name : names) {
    Result<KernelAxes> axes = kernelAxes(name, choice, names.size() == 1, defaults);
    if (!axes) return axes.error();
    mostSizes = std::max(mostSizes, axes->sizes.size());
    all.push_back(std::move(axes).value());
  }
  // All kernels are dropped before any is added, because dropping one changes the others' indices.
  for (const KernelAxes& axes : all)
    if (replace) lab::dropKernel(recording, axes.kernel.spec.name);
  for (KernelAxes& axes : all) {
    const Result<uint32_t> index = lab::addKernel(recording, axes.kernel.source, axes.kernel.spec);
    if (!index) return index.error();
    axes.index = *index;
  }
  std::vector<RecordPoint> points;
  Error illegal = requestError("there is no point to record");
  bool any = false;
  for (size_t size = 0; size < mostSizes; ++size) {
    for (const KernelAxes& axes : all) {
      if (size >= axes.sizes.size()) continue;
      for (const lab::Point& tunables : axes.tunables) {
        const Result<compile::Plan> plan = compile::plan(
            axes.kernel.spec, bindingsOf(axes.sizes[size]), bindingsOf(tunables), device);
        if (!plan) {
          illegal = plan.error();
          continue;
        }
        any = true;
        if (holds(recording, axes.index, *plan)) continue;
        points.push_back(
            {axes.index, lab::recordingExperiment(axes.kernel.source, *plan, timelineBlocks)});
      }
    }
  }
  if (!any) return illegal;
  return points;
}

Result<std::vector<RecordPoint>> recordPlanOfLabs(const std::vector<model::Lab>& labs, bool replace,
                                                  const Limits& device, uint64_t timelineBlocks,
                                                  lab::DeviceRecording& recording) {
  std::vector<TimedKernel> timed;
  for (const model::Lab& lab : labs) {
    for (const model::LabKernel& one : lab.kernels) {
      if (one.timedSizes.empty()) continue;
      Result<Kernel> kernel = loadKernel(one.name, {});
      if (!kernel) return kernel.error();
      timed.push_back({std::move(*kernel), one, lab.timings});
    }
  }
  for (const TimedKernel& one : timed)
    if (replace) lab::dropKernel(recording, one.kernel.spec.name);
  std::vector<RecordPoint> points;
  for (const auto& [kernel, shown, timings] : timed) {
    const Result<uint32_t> index = lab::addKernel(recording, kernel.source, kernel.spec);
    if (!index) return index.error();
    const Result<compile::Plan> plan =
        compile::plan(kernel.spec, shown.timedSizes, timedTunablesOf(shown), device);
    if (!plan) {
      say("tilestep: left out: " + kernel.spec.name + ": " + plan.error().message);
      continue;
    }
    if (holds(recording, *index, *plan, timings)) continue;
    addOnce({*index, lab::recordingExperiment(kernel.source, *plan, timelineBlocks)}, timings,
            points);
  }
  return points;
}

}  // namespace tilestep::app
