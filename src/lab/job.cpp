// SPDX-License-Identifier: Apache-2.0
#include "lab/job.h"

#include <charconv>
#include <cstdio>

#include "compile/front_matter/structure.h"
#include "metrics/occupancy.h"

namespace tilestep::lab {
namespace {

constexpr double kLeastTimeoutSeconds = 1e-3, kMostTimeoutSeconds = 1e6;
constexpr const char *kUsualArch = "compute_75", *kNewerArch = "compute_80";

/// 75 for "compute_75", 90 for "compute_90a", 0 for any other string.
int numberOfArch(const std::string& arch) {
  const size_t at = arch.find('_');
  int number = 0;
  if (at == std::string::npos) return 0;
  std::from_chars(arch.data() + at + 1, arch.data() + arch.size(), number);
  return number;
}

std::string text(const Dim3& value) {
  return std::to_string(value.x) + "," + std::to_string(value.y) + "," + std::to_string(value.z);
}

Status checkTraceBlock(const Dim3& block, const std::vector<Launch>& launches) {
  for (const Launch& launch : launches) {
    const Dim3& grid = launch.grid;
    if (block.x < grid.x && block.y < grid.y && block.z < grid.z) return {};
  }
  if (launches.empty()) return requestError("the kernel has no launch to trace");
  const Dim3& grid = launches.back().grid;
  return requestError("the grid has no block " + text(block) + "; its last block is " +
                      text({grid.x - 1, grid.y - 1, grid.z - 1}));
}

}  // namespace

namespace {

/// Adds a structure's members, with the operands that they point to.
void addFields(const compile::ResolvedOperand& resolved, const compile::Plan& plan,
               device::Operand& operand) {
  const compile::StructureLayout layout = compile::layoutOf(resolved.spec);
  operand.structureBytes = layout.bytes;
  for (size_t i = 0; i < resolved.spec.fields.size(); ++i) {
    const compile::FieldSpec& spec = resolved.spec.fields[i];
    device::Field field{spec.type, layout.offsets[i], resolved.fields[i], -1};
    for (size_t k = 0; !spec.pointer.empty() && k < plan.operands.size(); ++k) {
      if (plan.operands[k].spec.name == spec.pointer) field.pointsTo = static_cast<int>(k);
    }
    operand.fields.push_back(field);
  }
}

}  // namespace

device::Operand operandOf(const compile::ResolvedOperand& resolved) {
  device::Operand operand;
  operand.name = resolved.spec.name;
  operand.kind = resolved.spec.kind;
  operand.type = resolved.spec.type;
  operand.direction = resolved.spec.direction;
  operand.fill = resolved.spec.fill;
  operand.elements = resolved.elements;
  operand.rows = resolved.rows;
  operand.columns = resolved.columns;
  operand.scalar = resolved.scalar;
  operand.held = resolved.spec.held;
  operand.contents = resolved.contents;
  return operand;
}

std::vector<device::Operand> operandsOf(const compile::Plan& plan) {
  std::vector<device::Operand> operands;
  for (const compile::ResolvedOperand& resolved : plan.operands) {
    device::Operand operand = operandOf(resolved);
    if (!resolved.spec.fields.empty()) addFields(resolved, plan, operand);
    operands.push_back(std::move(operand));
  }
  return operands;
}

Result<std::string> archFor(const compile::KernelSpec& spec, const device::DeviceInfo& info) {
  const char* usual = spec.needsNewerGpu ? kNewerArch : kUsualArch;
  const std::string arch = spec.arch.empty() ? usual : spec.arch;
  if (!info.computeCapability) return arch;
  const auto has = metrics::parseComputeCapability(*info.computeCapability);
  if (!has || has->major * 10 + has->minor >= numberOfArch(arch)) return arch;
  if (!spec.arch.empty()) {
    return requestError(spec.name + " needs " + arch + "; " + info.name +
                        " has compute capability " + *info.computeCapability +
                        "; choose a newer device or simt");
  }
  return "compute_" + std::to_string(has->major) + std::to_string(has->minor);
}

bool hasAsyncCopies(const std::string& arch) {
  return numberOfArch(arch) >= 80;
}

Status checkTimeout(double seconds) {
  if (seconds >= kLeastTimeoutSeconds && seconds <= kMostTimeoutSeconds) return {};
  char value[32];
  std::snprintf(value, sizeof value, "%g", seconds);
  return requestError(std::string("--timeout must be 0.001 to 1000000 seconds, not ") + value);
}

Result<device::Job> makeJob(const Experiment& experiment, const compile::Plan& plan,
                            const compile::Compiled& compiled) {
  if (const Status timeout = checkTimeout(experiment.timeoutSeconds); !timeout) {
    return timeout.error();
  }
  device::Job job;
  job.module = compiled.module;
  job.ptx = compiled.ptx;
  job.assembled = compiled.assembled;
  job.operands = operandsOf(plan);
  job.launches = plan.launches;
  job.sharedArrays = sharedArraysOf(plan, *compiled.module);
  static_cast<device::RunOptions&>(job) = experiment;
  if (experiment.traceBlock) {
    if (const Status inside = checkTraceBlock(*experiment.traceBlock, plan.launches); !inside) {
      return inside.error();
    }
  }
  job.blockAlone = job.blockAlone && job.traceBlock;
  return job;
}

}  // namespace tilestep::lab
