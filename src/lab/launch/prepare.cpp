// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/prepare.h"

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "lab/launch/operands.h"
#include "lab/launch/operation.h"
#include "lab/launch/recognise.h"
#include "lab/launch/values.h"

namespace tilestep::lab {

Result<Prepared> prepareLaunch(const Experiment& experiment, device::Device& device) {
  const device::CapturedLaunch& launch = *experiment.captured;
  if (device.info().id.starts_with("recorded"))
    return requestError(
        "a recording holds no launches of programs; choose --device simt or cuda:0");
  if (const Status good = device::checkCaptured(launch); !good) return good.error();
  if (device.info().id.starts_with("cuda") && device::holdsAddresses(*launch.module))
    return requestError(
        "the program's device code contains addresses of its own functions or variables, which "
        "differ on a GPU; choose --device simt");
  Prepared prepared;
  InferredLaunch inferred = inferLaunch(launch);
  prepared.spec = std::move(inferred.spec);
  prepared.plan = std::move(inferred.plan);
  prepared.views = std::move(inferred.views);
  prepared.device = &device;
  auto compiled = std::make_shared<compile::Compiled>();
  compiled->ptx = launch.ptx;
  compiled->module = launch.module;
  compiled->compilerName = launch.compiler;
  compiled->compilerVersion = launch.version;
  compiled->arch = "compute_75";
  compiled->cached = true;
  prepared.compiled = std::move(compiled);
  return prepared;
}

void placeOperands(const Experiment& experiment, const Prepared& prepared, device::Job& job) {
  job.captured = experiment.captured;
  for (size_t i = 0; i < job.operands.size() && i < prepared.views.size(); ++i) {
    job.operands[i].range = prepared.views[i].range;
    job.operands[i].rangeOffset = prepared.views[i].offset;
  }
}

Status judgeOperation(const Experiment& experiment, const Prepared& prepared,
                      const device::Outcome& outcome, RunResult& result) {
  constexpr uint64_t kMostBytes = uint64_t{256} << 20;
  const auto after = [&](uint32_t operand) -> std::span<const std::byte> {
    if (operand >= outcome.outputs.size()) return {};
    return outcome.outputs[operand];
  };
  const InferredLaunch inferred{prepared.spec, prepared.plan, prepared.views};
  const LaunchValues values = valuesOf(*experiment.captured, inferred, after, kMostBytes);
  if (experiment.operation.empty()) {
    const auto found = recogniseLaunch(*experiment.captured, inferred, values, true);
    if (!found) return {};
    result.operation = found->operation.name;
    result.question = found->question;
    return {};
  }
  const std::optional<Operation> asked = compareWith(experiment.operation, values);
  if (!asked)
    return requestError("the launch of " + experiment.captured->kernel +
                        " has no operands with the shapes of a " + experiment.operation);
  result.operation = asked->name;
  result.check = checkOf(*asked);
  return {};
}

}  // namespace tilestep::lab
