// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include "ptx/text/parser.h"
#include "simt/engines.h"
#include "support/results.h"

namespace tilestep::simt {
namespace {

const std::string kHead = ".version 8.0\n.target sm_75\n.address_size 64\n";

}  // namespace

Machine::Machine(const std::string& body, const std::string& before, int parameters) {
  std::string text = kHead + before + "\n.visible .entry test(";
  for (int i = 0; i < parameters; ++i) {
    text += (i ? ", " : "") + (".param .u64 p" + std::to_string(i));
  }
  text +=
      ") {\n.reg .b32 %r<32>; .reg .b64 %rd<32>; .reg .f32 %f<32>; .reg .f64 %fd<32>;\n"
      ".reg .b16 %h<16>; .reg .pred %p<16>;\n";
  for (int i = 0; i < parameters && i < 2; ++i) {
    text += "ld.param.u64 %rd" + std::to_string(30 + i) + ", [p" + std::to_string(i) + "];\n";
  }
  text += "mov.u32 %r31, %tid.x;\n" + body + "\nret;\n}\n";
  auto parsed = ptx::parse(text, "test.ptx");
  if (!parsed) {
    ADD_FAILURE() << toString(parsed.error()) << "\n" << text;
    return;
  }
  module = std::move(parsed.value());
  request.module = &module;
  request.launch = {"test", {1, 1, 1}, {32, 1, 1}, 0};
}

Machine Machine::ofText(const std::string& text, const std::string& entry) {
  Machine machine("");
  const bool isWhole = text.find(".version") != std::string::npos;
  machine.module = ptx::parse(isWhole ? text : kHead + text, "test.ptx").value();
  machine.request.launch.entry = entry;
  return machine;
}

Machine::Machine(Machine&& other) noexcept
    : module(std::move(other.module)),
      request(std::move(other.request)),
      memory_(std::move(other.memory_)) {
  request.module = &module;
}

Machine::~Machine() = default;

Machine& Machine::bytesOfBuffer(const std::string& name, const void* from, size_t count) {
  auto& bytes = memory_.emplace_back(count);
  if (count > 0) std::memcpy(bytes.data(), from, count);
  request.parameters.push_back(addressOf(request.buffers.size()));
  request.buffers.push_back({name, "", bytes.data(), bytes.size(), nullptr, true});
  return *this;
}

Machine& Machine::block(uint32_t x, uint32_t y, uint32_t z) {
  request.launch.block = {x, y, z};
  return *this;
}
Machine& Machine::grid(uint32_t x, uint32_t y, uint32_t z) {
  request.launch.grid = {x, y, z};
  return *this;
}
Machine& Machine::order(uint64_t order) {
  request.order = order;
  return *this;
}
Machine& Machine::threads(unsigned threads) {
  request.threads = threads;
  return *this;
}
Machine& Machine::engine(const Engine* engine) {
  request.engine = engine;
  return *this;
}
Machine& Machine::timeout(double seconds) {
  request.timeoutSeconds = seconds;
  return *this;
}
Machine& Machine::counted() {
  request.counters = true;
  return *this;
}
Machine& Machine::traced(const TraceOptions& options) {
  request.trace = options;
  return *this;
}

GridResult Machine::run() {
  auto result = runGrid(request, {});
  if (!result) {
    ADD_FAILURE() << toString(result.error());
    return {};
  }
  return std::move(result.value());
}

GridResult Machine::runWell() {
  GridResult result = run();
  for (const Fault& fault : result.faults) ADD_FAILURE() << fault.kind << ": " << fault.message;
  return result;
}

Fault onlyFault(const GridResult& result) {
  EXPECT_EQ(result.faults.size(), 1u);
  return result.faults.size() == 1 ? result.faults[0] : Fault{};
}

testing::AssertionResult faulted(const GridResult& result, const std::string& kind,
                                 const std::string& part) {
  std::string all;
  for (const Fault& fault : result.faults) all += fault.kind + ": " + fault.message + "\n";
  if (result.faults.size() == 1 && result.faults[0].kind == kind) return has(all, part);
  return testing::AssertionFailure() << "expected one fault " << kind << ", found\n" << all;
}

std::vector<uint8_t> evaluateBytes(const Element& in, const std::string& body, const Element& out,
                                   const std::vector<uint8_t>& values) {
  std::vector<uint8_t> first;
  for (const Engine* engine : engines()) {
    Machine machine("mul.wide.u32 %rd28, %r31, " + std::to_string(in.bytes) +
                    ";\nadd.s64 %rd29, %rd30, %rd28;\nld.global." + in.type + " " + in.reg +
                    ", [%rd29];\n" + body + "\nmul.wide.u32 %rd28, %r31, " +
                    std::to_string(out.bytes) + ";\nadd.s64 %rd29, %rd31, %rd28;\nst.global." +
                    out.type + " [%rd29], " + out.reg + ";");
    machine.buffer("in", values).buffer("out", std::vector<uint8_t>(32 * out.bytes));
    machine.request.engine = engine;
    machine.runWell();
    const std::vector<uint8_t> result = machine.values<uint8_t>(1);
    if (first.empty()) first = result;
    EXPECT_EQ(first, result) << engine->name << " differs for " << body;
  }
  return first;
}

Words ofBlock(const std::string& body, uint32_t threads, const std::string& before,
              std::initializer_list<uint64_t> orders) {
  Words first;
  for (const uint64_t order : orders) {
    for (const Engine* engine : engines()) {
      Machine machine(body, before, 1);
      machine.buffer("out", Words(threads, 77)).block(threads).engine(engine).order(order);
      machine.runWell();
      const Words out = machine.values<uint32_t>(0);
      if (first.empty()) first = out;
      EXPECT_EQ(first, out) << engine->name << ", order " << order;
    }
  }
  return first;
}

std::vector<uint32_t> ofWords(const std::string& body, std::vector<uint32_t> in) {
  return evaluate<uint32_t>("u32", "%r1", body, "u32", "%r2", std::move(in));
}

std::vector<uint32_t> ofFloatBits(const std::string& body, std::vector<uint32_t> in) {
  return evaluate<uint32_t>("f32", "%f1", body, "f32", "%f2", std::move(in));
}

std::vector<float> ofFloats(const std::string& body, std::vector<float> in) {
  return evaluate<float>("f32", "%f1", body, "f32", "%f2", std::move(in));
}

}  // namespace tilestep::simt
