// SPDX-License-Identifier: Apache-2.0
#include "golden/commands.h"

#include "ptx/analysis/accumulators.h"
#include "ptx/analysis/control_flow.h"
#include "ptx/rewrite/instrument_clocks.h"
#include "ptx/rewrite/normalize.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"
#include "ptx/text/symbols.h"

namespace tilestep::golden {
namespace {

using ptx::Function;
using ptx::kNone;

std::string lineOf(const Function& function, uint32_t index) {
  return std::to_string(index) + "\t" + print(function.body[index], function);
}

std::string describeAccumulators(const Function& function) {
  const ptx::Accumulators found = ptx::findAccumulators(function);
  std::string out = ptx::displayName(function.name) + ": " + std::to_string(found.count) + "\n";
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    if (const auto vector = found.vectors.find(i); vector != found.vectors.end()) {
      out += "  #";
      for (const uint32_t number : vector->second) {
        out += (number == kNone ? "-" : std::to_string(number)) + " ";
      }
      out += "+= " + lineOf(function, i) + "\n";
    }
    if (found.updatedBy[i] == kNone) continue;
    out += "  #" + std::to_string(found.updatedBy[i]) + " += " + lineOf(function, i) + "\n";
  }
  for (const ptx::AccumulatorStore& store : found.stores) {
    out += "  stores";
    for (const uint32_t element : store.elements) {
      out += element == kNone ? " -" : " #" + std::to_string(element);
    }
    out += " " + lineOf(function, store.instruction) + "\n";
  }
  return out;
}

std::string describeControlFlow(const Function& function) {
  const ptx::ControlFlow flow = ptx::analyseControlFlow(function);
  std::string out = ptx::displayName(function.name) + "\n";
  for (size_t i = 0; i < flow.blocks.size(); ++i) {
    const ptx::BasicBlock& block = flow.blocks[i];
    out += "  block " + std::to_string(i) + " [" + std::to_string(block.first) + ", " +
           std::to_string(block.end) + ") ->";
    for (const uint32_t next : block.successors) out += " " + std::to_string(next);
    out += "\n";
  }
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    const uint32_t at = flow.reconvergence[i];
    if (at == kNone) continue;
    const bool isEnd = at == function.body.size();
    out += "  " + lineOf(function, i) + " meets at " + (isEnd ? "the end" : lineOf(function, at)) +
           "\n";
  }
  return out;
}

/// The first entry with clock reads inserted, for blocks of 8 x 4 threads and 32 registers.
std::string withClocks(const ptx::Module& module) {
  for (const Function& function : module.functions) {
    if (!function.isEntry) continue;
    Launch launch;
    launch.entry = function.name;
    launch.block = {8, 4, 1};
    const Result<std::string> made = ptx::instrumentClocks(module, launch, 32);
    return made ? *made : toString(made.error()) + "\n";
  }
  return "no entry\n";
}

template <class Describe>
std::string forEachFunction(const ptx::Module& module, Describe describe) {
  std::string out;
  for (const Function& function : module.functions) {
    if (!function.isExtern) out += describe(function);
  }
  return out;
}

}  // namespace

std::string run(std::string_view command, std::string_view ptxText, std::string_view name) {
  const Result<ptx::Module> module = ptx::parse(ptxText, name);
  if (!module) return toString(module.error()) + "\n";
  if (command == "print") return print(*module);
  if (command == "explicit-rounding") return print(ptx::withExplicitRounding(*module));
  if (command == "clocks") return withClocks(*module);
  if (command == "accumulators") return forEachFunction(*module, describeAccumulators);
  if (command == "control-flow") return forEachFunction(*module, describeControlFlow);
  return "unknown command " + std::string(command) + "\n";
}

}  // namespace tilestep::golden
