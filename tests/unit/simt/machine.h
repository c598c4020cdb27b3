// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "ptx/text/parser.h"
#include "simt/engines.h"
#include "simt/grid.h"

namespace tilestep::simt {

/// A module with one kernel `test` of PTX text, and buffers that its parameters p0, p1, … point to.
class Machine {
 public:
  /// `body` may use %r<32>, %rd<32>, %f<32>, %fd<32>, %h<16> and %p<16>; %rd30 and %rd31 hold the
  /// addresses of p0 and p1, %r31 is the thread's number in its block along x.
  explicit Machine(const std::string& body, const std::string& before = {}, int parameters = 2) {
    std::string text =
        ".version 8.0\n.target sm_75\n.address_size 64\n" + before + "\n.visible .entry test(";
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

  /// A module as it is.
  static Machine ofText(const std::string& text, const std::string& entry) {
    Machine machine("");
    machine.module = ptx::parse(text, "test.ptx").value();
    machine.request.launch.entry = entry;
    return machine;
  }
  Machine(const Machine&) = delete;
  Machine(Machine&& other) noexcept
      : module(std::move(other.module)),
        request(std::move(other.request)),
        memory_(std::move(other.memory_)) {
    request.module = &module;
  }

  template <class T>
  Machine& buffer(const std::string& name, const std::vector<T>& values) {
    auto& bytes = memory_.emplace_back(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    request.parameters.push_back(addressOf(request.buffers.size()));
    request.buffers.push_back({name, "", bytes.data(), bytes.size(), nullptr, true});
    return *this;
  }

  template <class T>
  [[nodiscard]] std::vector<T> values(size_t buffer) const {
    std::vector<T> out(memory_[buffer].size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), memory_[buffer].data(), memory_[buffer].size());
    return out;
  }

  GridResult run() {
    auto result = runGrid(request, {});
    if (!result) {
      ADD_FAILURE() << toString(result.error());
      return {};
    }
    return std::move(result.value());
  }

  /// Runs and expects that nothing is wrong.
  GridResult runWell() {
    GridResult result = run();
    for (const Fault& fault : result.faults) ADD_FAILURE() << fault.kind << ": " << fault.message;
    return result;
  }

  ptx::Module module;
  GridRequest request;

 private:
  std::vector<std::vector<uint8_t>> memory_;
};

/// out[i] = body of a[i] for 32 values, on each engine; engines must agree. `in` and `out` say how
/// one element is loaded to %IN1 and stored from %OUT1, as "u32 %r".
template <class Out, class In>
std::vector<Out> evaluate(const std::string& inType, const std::string& inRegister,
                          const std::string& body, const std::string& outType,
                          const std::string& outRegister, std::vector<In> in) {
  const size_t count = in.size();
  in.resize(32, in.empty() ? In{} : in.back());
  std::vector<Out> first;
  for (const Engine* engine : engines()) {
    Machine machine("mul.wide.u32 %rd28, %r31, " + std::to_string(sizeof(In)) +
                    ";\nadd.s64 %rd29, %rd30, %rd28;\nld.global." + inType + " " + inRegister +
                    ", [%rd29];\n" + body + "\nmul.wide.u32 %rd28, %r31, " +
                    std::to_string(sizeof(Out)) + ";\nadd.s64 %rd29, %rd31, %rd28;\nst.global." +
                    outType + " [%rd29], " + outRegister + ";");
    machine.buffer("in", in).buffer("out", std::vector<Out>(32));
    machine.request.engine = engine;
    machine.runWell();
    auto out = machine.values<Out>(1);
    out.resize(count);
    if (first.empty()) first = out;
    EXPECT_EQ(std::memcmp(first.data(), out.data(), out.size() * sizeof(Out)), 0)
        << engine->name << " differs for " << body;
  }
  return first;
}

/// One s32 or u32 in %r1, one result in %r2.
inline std::vector<uint32_t> ofWords(const std::string& body, std::vector<uint32_t> in) {
  return evaluate<uint32_t>("u32", "%r1", body, "u32", "%r2", std::move(in));
}
/// f32 in %f1 and %f2.
inline std::vector<uint32_t> ofFloatBits(const std::string& body, std::vector<uint32_t> in) {
  return evaluate<uint32_t>("f32", "%f1", body, "f32", "%f2", std::move(in));
}
inline std::vector<float> ofFloats(const std::string& body, std::vector<float> in) {
  return evaluate<float>("f32", "%f1", body, "f32", "%f2", std::move(in));
}

}  // namespace tilestep::simt
