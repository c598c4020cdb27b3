// SPDX-License-Identifier: Apache-2.0
#include "cosim/kernel.h"

namespace tilestep::cosim {
namespace {

constexpr char kSources[] = "abcg";
constexpr char kResults[] = "de";

std::string registerTypeOf(Kind kind) {
  if (kind == Kind::f32) return ".f32";
  if (kind == Kind::f64) return ".f64";
  return kind == Kind::pred ? ".pred" : ".b" + std::to_string(8 * bytesOf(kind));
}

std::string memoryTypeOf(Kind kind) {
  return kind == Kind::pred ? ".b32" : registerTypeOf(kind);
}

/// The address of this thread's value of `slot` in %addr.
std::string addressOf(const std::string& base, size_t slot) {
  return "mad.lo.u64 %addr, %step, " + std::to_string(slot) + ", " + base + ";\n";
}

std::string load(Kind kind, size_t slot) {
  const std::string to = std::string("%") + kSources[slot];
  std::string text = addressOf("%in", slot);
  if (kind != Kind::pred)
    return text + "ld.global" + memoryTypeOf(kind) + " " + to + ", [%addr];\n";
  return text + "ld.global.b32 %bit, [%addr];\nsetp.ne.b32 " + to + ", %bit, 0;\n";
}

std::string store(Kind kind, size_t slot) {
  const std::string from = std::string("%") + kResults[slot];
  std::string text = addressOf("%out", slot);
  if (kind != Kind::pred) {
    return text + "st.global" + memoryTypeOf(kind) + " [%addr], " + from + ";\n";
  }
  return text + "selp.b32 %bit, 1, 0, " + from + ";\nst.global.b32 [%addr], %bit;\n";
}

std::string kernelOf(const Form& form, const std::string& entry) {
  std::string text = ".visible .entry " + entry +
                     "(.param .u64 in, .param .u64 out, .param .u32 cases) {\n"
                     ".reg .b64 %in, %out, %step, %addr; .reg .b32 %bit, %i, %n, %t;\n";
  for (size_t i = 0; i < form.sources.size(); ++i) {
    text += ".reg " + registerTypeOf(form.sources[i]) + " %" + kSources[i] + ";\n";
  }
  for (size_t i = 0; i < form.results.size(); ++i) {
    text += ".reg " + registerTypeOf(form.results[i]) + " %" + kResults[i] + ";\n";
  }
  text +=
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u32 %n, [cases];\n"
      "mov.u32 %i, %ctaid.x; mov.u32 %t, %ntid.x; mul.lo.u32 %i, %i, %t;\n"
      "mov.u32 %t, %tid.x; add.u32 %i, %i, %t;\n"
      "mul.wide.u32 %addr, %i, 8; add.u64 %in, %in, %addr; add.u64 %out, %out, %addr;\n"
      "mul.wide.u32 %step, %n, 8;\n";
  for (size_t i = 0; i < form.sources.size(); ++i) text += load(form.sources[i], i);
  text += form.text + "\n";
  for (size_t i = 0; i < form.results.size(); ++i) text += store(form.results[i], i);
  return text + "ret;\n}\n";
}

}  // namespace

std::string entryOf(size_t form) {
  return "form" + std::to_string(form);
}

std::string moduleOf(std::span<const Form> forms) {
  std::string text = ".version 8.6\n.target sm_90\n.address_size 64\n";
  for (size_t i = 0; i < forms.size(); ++i) text += kernelOf(forms[i], entryOf(i));
  return text;
}

}  // namespace tilestep::cosim
