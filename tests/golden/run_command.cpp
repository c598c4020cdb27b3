// SPDX-License-Identifier: Apache-2.0
#include "golden/run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "compile/compiler.h"
#include "compile/text/parameters.h"
#include "device/device.h"
#include "lab/elements.h"
#include "lab/job.h"
#include "ptx/rewrite/normalize.h"
#include "ptx/text/parser.h"
#include "support/source_root.h"

namespace tilestep::golden {
namespace {

constexpr size_t kShown = 32;  // Elements of an output.
constexpr double kSeconds = 20;

struct Header {
  std::vector<Launch> launches;
  std::vector<device::Operand> operands;
  std::optional<Dim3> trace;
  double seconds = kSeconds;
  bool check = false;
};

Dim3 dimOf(std::istream& in) {
  Dim3 dim{1, 1, 1};
  char by = 0;
  in >> dim.x >> by >> dim.y >> by >> dim.z;
  return dim;
}

Launch launchOf(std::istringstream& words) {
  Launch launch;
  words >> launch.entry;
  launch.grid = dimOf(words);
  launch.block = dimOf(words);
  words >> launch.dynamicSharedBytes;
  return launch;
}

device::Operand operandOf(std::istringstream& words) {
  device::Operand operand;
  std::string type, elements;
  words >> operand.name >> type >> elements;
  operand.type = elementTypeOf(type).value_or(ElementType::f32);
  if (elements == "=") {
    operand.kind = OperandKind::scalar;
    words >> operand.scalar;
    return operand;
  }
  operand.elements = std::strtoull(elements.c_str(), nullptr, 10);
  for (std::string word; words >> word;) {
    if (word == "out") operand.direction = Direction::out;
    if (word == "inout") operand.direction = Direction::inout;
    if (word == "zero") operand.fill = Fill::zero;
    if (word == "ones") operand.fill = Fill::ones;
    if (word == "index") operand.fill = Fill::index;
  }
  return operand;
}

Header headerOf(std::string_view input) {
  Header header;
  std::istringstream lines{std::string(input)};
  for (std::string line; std::getline(lines, line) && line.rfind("//! ", 0) == 0;) {
    std::istringstream words(line.substr(4));
    std::string key;
    words >> key;
    if (key == "launch:") header.launches.push_back(launchOf(words));
    if (key == "operand:") header.operands.push_back(operandOf(words));
    if (key == "seconds:") words >> header.seconds;
    if (key == "check:") header.check = true;
    if (key == "trace:") {
      header.trace = Dim3{0, 0, 0};
      words >> header.trace->x >> header.trace->y;
    }
  }
  return header;
}

compile::CompileService& service() {
  static compile::CompileService made({support::sourceRoot(), "", ""});
  return made;
}

Result<device::Job> jobOfSource(std::string_view input, const std::string& name) {
  const compile::KernelSource source{name, std::string(input), {}};
  const auto spec = compile::parseKernel(source);
  if (!spec) return spec.error();
  const auto plan = compile::plan(*spec, {}, {}, {});
  if (!plan) return plan.error();
  const std::string arch = spec->arch.empty() ? "compute_75" : spec->arch;
  const auto compiled = service().compile({source, plan->tunables, arch, false, {}});
  if (!compiled) return compiled.error();
  if (Status fits = compile::checkParameters(*spec, *(*compiled)->module); !fits) {
    return fits.error();
  }
  return lab::makeJob(lab::Experiment{}, *plan, **compiled);
}

Result<device::Job> jobOfPtx(std::string_view input, const std::string& name,
                             const Header& header) {
  Result<ptx::Module> module = ptx::parse(input, name);
  if (!module) return module.error();
  device::Job job;
  job.module = std::make_shared<const ptx::Module>(ptx::withExplicitRounding(std::move(*module)));
  job.operands = header.operands;
  job.launches = header.launches;
  return job;
}

bool isFloat(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::f16 ||
         type == ElementType::bf16;
}

std::string shown(ElementType type, const std::byte* data) {
  const double value = lab::elementAsDouble(type, data);
  if (type == ElementType::f64) return fmt::format("{:.17g}", value);
  if (isFloat(type)) return fmt::format("{:.9g}", value);
  return fmt::format("{:.0f}", value);
}

std::string describeOutput(const device::Operand& operand, const std::vector<std::byte>& bytes) {
  const unsigned width = bytesOf(operand.type);
  std::string text = operand.name + ":";
  for (size_t i = 0; i < std::min<size_t>(bytes.size() / width, kShown); ++i) {
    text += " " + shown(operand.type, &bytes[i * width]);
  }
  if (bytes.size() / width > kShown) text += fmt::format(" … of {}", bytes.size() / width);
  return text + "\n";
}

std::string describeEvent(const trace::TraceEvent& event) {
  std::string text = fmt::format(
      "  epoch {} warp {} #{} line {} {} {} mask {:08x}", event.epoch, event.warp, event.sequence,
      event.line, trace::toText(event.operation), trace::toText(event.space), event.mask);
  if (!event.offsets.empty()) text += fmt::format(" from {}", event.offsets.front());
  return text + "\n";
}

std::string place(const device::AccessSite& at) {
  return fmt::format("line {}, thread ({}, {}, {}) of block ({}, {}, {})", at.line, at.thread.x,
                     at.thread.y, at.thread.z, at.block.x, at.block.y, at.block.z);
}

std::string describe(const device::Job& job, const device::Outcome& outcome) {
  std::string text;
  for (size_t i = 0; i < outcome.outputs.size(); ++i) {
    if (!outcome.outputs[i].empty()) text += describeOutput(job.operands[i], outcome.outputs[i]);
  }
  if (outcome.trace) {
    text += fmt::format("trace: {} events\n", outcome.trace->size());
    for (size_t i = 0; i < outcome.trace->size(); ++i)
      text += describeEvent(outcome.trace->event(i));
  }
  for (const device::Fault& fault : outcome.faults) {
    text += fmt::format("fault {}: {} ({}; {} times)\n", fault.kind, fault.message, place(fault.at),
                        fault.count);
  }
  for (const device::Hazard& hazard : outcome.hazards.value_or(std::vector<device::Hazard>())) {
    text += fmt::format("hazard {} in {} memory: {}; {}\n", hazard.kind, hazard.space,
                        place(hazard.first), place(hazard.second));
  }
  return text;
}

bool isSource(std::string_view name) {
  return name.size() > 3 && name.substr(name.size() - 3) == ".cu";
}

}  // namespace

std::string runCase(std::string_view input, const std::string& name) {
  const Header header = headerOf(input);
  Result<device::Job> job =
      isSource(name) ? jobOfSource(input, name) : jobOfPtx(input, name, header);
  if (!job) {
    const std::string said = toString(job.error()) + "\n";
    return said.starts_with(name) && !said.starts_with(name + " ") ? said : name + ": " + said;
  }
  job->measure = false;
  job->check = header.check;
  job->timeoutSeconds = header.seconds;
  if (header.trace) job->traceBlock = *header.trace;
  const Result<device::Outcome> outcome = device::openSimt(1)->run(*job, {});
  if (!outcome) return name + ": " + toString(outcome.error()) + "\n";
  return describe(*job, *outcome);
}

Result<std::string> otherCompiler(const std::string& name) {
  if (!isSource(name)) return std::string();
  Result<std::string> compiler = service().description();
  if (compiler && compiler->starts_with("nvrtc 13")) return std::string();
  return compiler;
}

}  // namespace tilestep::golden
