// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "ptx/ir.h"
#include "simt/grid.h"

namespace tilestep::simt {

using Words = std::vector<uint32_t>;

/// f(0), f(1), …, f(31).
template <class F>
Words eachLane(F f) {
  Words values;
  for (uint32_t lane = 0; lane < 32; ++lane) values.push_back(f(lane));
  return values;
}
/// 0, 1, …, 31.
inline Words lanes() {
  return eachLane([](uint32_t lane) { return lane; });
}

/// A module with one kernel, `test`, and the buffers to which its parameters p0, p1, … point.
class Machine {
 public:
  /// `body` may use %r<32>, %rd<32>, %f<32>, %fd<32>, %h<16> and %p<16>. %rd30 and %rd31 are the
  /// addresses of p0 and p1, and %r31 is threadIdx.x.
  explicit Machine(const std::string& body, const std::string& before = {}, int parameters = 2);
  /// Uses `text` as the module. If it has no `.version`, it gets that of the constructor.
  static Machine ofText(const std::string& text, const std::string& entry);
  Machine(const Machine&) = delete;
  Machine(Machine&& other) noexcept;
  ~Machine();

  template <class T>
  Machine& buffer(const std::string& name, const std::vector<T>& values) {
    return bytesOfBuffer(name, values.data(), values.size() * sizeof(T));
  }

  template <class T>
  [[nodiscard]] std::vector<T> values(size_t buffer) const {
    std::vector<T> out(memory_[buffer].size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), memory_[buffer].data(), memory_[buffer].size());
    return out;
  }

  // The launch's options.
  Machine& block(uint32_t x, uint32_t y = 1, uint32_t z = 1);
  Machine& grid(uint32_t x, uint32_t y = 1, uint32_t z = 1);
  Machine& order(uint64_t order);
  Machine& threads(unsigned threads);
  Machine& engine(const Engine* engine);
  Machine& timeout(double seconds);
  Machine& counted();
  Machine& traced(const TraceOptions& options = {});

  GridResult run();
  /// Runs the kernel and expects no faults.
  GridResult runWell();

  ptx::Module module;
  GridRequest request;

 private:
  Machine& bytesOfBuffer(const std::string& name, const void* from, size_t count);

  std::vector<std::vector<uint8_t>> memory_;
};

/// The only fault of a run. If there is not exactly one, the test fails, and the fault is empty.
Fault onlyFault(const GridResult& result);

/// Whether a run has exactly one fault, of this kind, whose message contains `part`.
testing::AssertionResult faulted(const GridResult& result, const std::string& kind,
                                 const std::string& part = {});

/// How an element is loaded or stored: type and register, such as "u32" and "%r1".
struct Element {
  size_t bytes;
  std::string type, reg;
};

/// The bytes that `body` computes from each of 32 values. All engines must give the same bytes.
std::vector<uint8_t> evaluateBytes(const Element& in, const std::string& body, const Element& out,
                                   const std::vector<uint8_t>& values);

/// out[i] is computed by `body` from in[i], for up to 32 values.
template <class Out, class In>
std::vector<Out> evaluate(const std::string& inType, const std::string& inRegister,
                          const std::string& body, const std::string& outType,
                          const std::string& outRegister, std::vector<In> in) {
  const size_t count = in.size();
  in.resize(32, in.empty() ? In{} : in.back());
  std::vector<uint8_t> bytes(32 * sizeof(In));
  std::memcpy(bytes.data(), in.data(), bytes.size());
  bytes = evaluateBytes({sizeof(In), inType, inRegister}, body, {sizeof(Out), outType, outRegister},
                        bytes);
  std::vector<Out> out(count);
  if (count > 0) std::memcpy(out.data(), bytes.data(), count * sizeof(Out));
  return out;
}

/// Stores %r2 in the thread's word of p0.
inline const std::string kStore =
    "\nmul.wide.u32 %rd28, %r31, 4; add.s64 %rd29, %rd30, %rd28; st.global.u32 [%rd29], %r2;\n";

/// The word of p0 of each thread of a block, or 77 if the body stores none. All engines and orders
/// must give the same words.
Words ofBlock(const std::string& body, uint32_t threads, const std::string& before,
              std::initializer_list<uint64_t> orders = {0});

/// The argument is in %r1 and the result in %r2, as s32 or u32.
std::vector<uint32_t> ofWords(const std::string& body, std::vector<uint32_t> in);
/// The argument is in %f1 and the result in %f2, as f32.
std::vector<uint32_t> ofFloatBits(const std::string& body, std::vector<uint32_t> in);
std::vector<float> ofFloats(const std::string& body, std::vector<float> in);

}  // namespace tilestep::simt
