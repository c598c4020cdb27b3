// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/given_data.h"

#include <algorithm>

#include "lab/launch/operands.h"

namespace tilestep::lab {
namespace {

bool isInput(const compile::ResolvedOperand& operand) {
  return operand.spec.kind == OperandKind::buffer && operand.spec.direction == Direction::in;
}

}  // namespace

Result<std::vector<GivenInput>> dataOfLaunch(const device::CapturedLaunch& launch) {
  if (const Status good = device::checkCaptured(launch); !good) return good.error();
  const InferredLaunch inferred = inferLaunch(launch);
  std::vector<GivenInput> data;
  for (size_t i = 0; i < inferred.plan.operands.size(); ++i) {
    const compile::ResolvedOperand& operand = inferred.plan.operands[i];
    const View& view = inferred.views[i];
    if (!isInput(operand) || view.range < 0) continue;
    auto bytes =
        std::make_shared<std::vector<std::byte>>(operand.elements * bytesOf(operand.spec.type));
    device::copyContents(launch.ranges[static_cast<size_t>(view.range)], view.offset, bytes->size(),
                         bytes->data());
    data.push_back({operand.spec.type, std::move(bytes)});
  }
  return data;
}

Status takeData(const Experiment& experiment, compile::Plan& plan) {
  if (!experiment.dataOf) return {};
  size_t taken = 0;
  for (compile::ResolvedOperand& operand : plan.operands) {
    if (!isInput(operand)) continue;
    const uint64_t bytes = operand.elements * bytesOf(operand.spec.type);
    const bool isThere = taken < experiment.data.size();
    if (!isThere || experiment.data[taken].bytes->size() != bytes ||
        experiment.data[taken].type != operand.spec.type)
      return requestError("the launch reads no buffer that matches " + operand.spec.name);
    operand.contents = experiment.data[taken++].bytes;
  }
  if (taken != experiment.data.size())
    return requestError("the launch reads more buffers than the kernel does");
  return {};
}

}  // namespace tilestep::lab
