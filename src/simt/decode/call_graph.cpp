// SPDX-License-Identifier: Apache-2.0
#include "simt/decode/call_graph.h"

#include <set>

#include "ptx/analysis/graph.h"

namespace tilestep::simt {
namespace {

using Kind = ptx::Operand::Kind;

class Builder {
 public:
  Builder(const ptx::Module& module, CallGraph& graph) : module_(module), graph_(graph) {}

  void run(const ptx::Function& entry) {
    add(entry);
    // The list grows while it is traversed.
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      visit(static_cast<uint32_t>(i));
      if (i + 1 == graph_.nodes.size()) addAddressed();
    }
    connect();
  }

 private:
  uint32_t add(const ptx::Function& function) {
    const uint32_t known = graph_.find(function.name);
    if (known != CallGraph::kNone) return known;
    uint32_t first = 0;
    if (!graph_.nodes.empty()) {
      const CallGraph::Node& last = graph_.nodes.back();
      first = last.first + static_cast<uint32_t>(last.function->body.size()) + 1;
    }
    const auto number = static_cast<uint32_t>(&function - module_.functions.data());
    graph_.nodes.push_back({&function, number, first, false, 0, false});
    edges_.emplace_back();
    return static_cast<uint32_t>(graph_.nodes.size() - 1);
  }

  const ptx::Function* definition(const std::string& name) const {
    const ptx::Function* function = module_.find(name);
    return function == nullptr || function->isExtern ? nullptr : function;
  }

  void collect(const ptx::Operand& operand) {
    if (operand.kind == Kind::symbol && definition(operand.name)) addressed_.insert(operand.name);
    for (const ptx::Operand& element : operand.elements) collect(element);
  }

  /// Collects the functions whose addresses an instruction takes. If it is a call, returns the
  /// operand with the called function, else null.
  const ptx::Operand* collect(const ptx::Instruction& instruction) {
    const bool isCall = instruction.opcode == ptx::Opcode::call;
    const ptx::Operand* callee = isCall ? &calleeOf(instruction) : nullptr;
    for (const ptx::Operand& operand : instruction.operands) {
      if (&operand != callee) collect(operand);
    }
    return callee;
  }

  void visit(uint32_t node) {
    for (const ptx::Instruction& instruction : graph_.nodes[node].function->body) {
      const ptx::Operand* callee = collect(instruction);
      if (callee == nullptr) continue;
      if (callee->kind == Kind::reg) {
        callsByAddress_ = true;
        byAddress_.insert(node);
      } else if (const ptx::Function* function = definition(callee->name)) {
        const uint32_t to = add(*function);
        edges_[node].push_back(to);
      }
    }
  }

  /// Collects every function whose address is taken in the module. A call by address may reach any
  /// of them, because another kernel may have stored the address.
  void collectFromModule() {
    for (const ptx::Variable& variable : module_.variables) {
      for (const ptx::SymbolReference& reference : variable.references) {
        if (definition(reference.name)) addressed_.insert(reference.name);
      }
    }
    for (const ptx::Function& function : module_.functions) {
      for (const ptx::Instruction& instruction : function.body) collect(instruction);
    }
  }

  void addAddressed() {
    if (callsByAddress_ && !moduleIsCollected_) collectFromModule();
    moduleIsCollected_ = callsByAddress_;
    for (const std::string& name : addressed_) {
      const ptx::Function* function = definition(name);
      if (!function->isEntry) graph_.nodes[add(*function)].addressed = true;
    }
  }

  void connect() {
    // One additional node, between the functions with calls by address and the functions that these
    // calls may reach, keeps the number of edges linear.
    const auto between = static_cast<uint32_t>(edges_.size());
    edges_.emplace_back();
    for (const uint32_t from : byAddress_) edges_[from].push_back(between);
    for (uint32_t to = 0; to < between; ++to) {
      if (graph_.nodes[to].addressed) edges_[between].push_back(to);
    }
    const ptx::Cycles cycles = ptx::cyclesOf(edges_);
    for (uint32_t node = 0; node < graph_.nodes.size(); ++node) {
      graph_.nodes[node].component = cycles.component[node];
      graph_.nodes[node].recursive = cycles.cyclic[node];
    }
  }

  const ptx::Module& module_;
  CallGraph& graph_;
  ptx::Graph edges_;
  std::set<std::string> addressed_;
  std::set<uint32_t> byAddress_;
  bool callsByAddress_ = false;
  bool moduleIsCollected_ = false;
};

}  // namespace

uint32_t CallGraph::find(std::string_view name) const {
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].function->name == name) return static_cast<uint32_t>(i);
  }
  return kNone;
}

const ptx::Operand& calleeOf(const ptx::Instruction& call) {
  const bool hasResults = call.operands[0].kind == Kind::list && call.operands.size() > 1;
  return call.operands[hasResults ? 1 : 0];
}

const ptx::Operand* resultsOf(const ptx::Instruction& call) {
  return call.operands[0].kind == Kind::list ? &call.operands[0] : nullptr;
}

const ptx::Operand* argumentsOf(const ptx::Instruction& call) {
  const auto at = static_cast<size_t>(&calleeOf(call) - call.operands.data()) + 1;
  const bool there = at < call.operands.size() && call.operands[at].kind == Kind::list;
  return there ? &call.operands[at] : nullptr;
}

CallGraph analyseCalls(const ptx::Module& module, const ptx::Function& entry) {
  CallGraph graph;
  Builder(module, graph).run(entry);
  return graph;
}

}  // namespace tilestep::simt
