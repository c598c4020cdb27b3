// SPDX-License-Identifier: Apache-2.0
// cvt: every pair of types with every rounding and modifier that PTX ISA 9.0 allows.
#include "cosim/forms.h"

namespace tilestep::cosim {
namespace {

using enum Kind;
using Names = std::vector<std::string>;

struct Type {
  const char* name;
  Kind kind;  ///< 8-bit values are in 32-bit registers, so that the extension is visible.
};
constexpr Type kIntegers[] = {{"u8", b32},  {"s8", b32},  {"u16", b16}, {"s16", b16},
                              {"u32", b32}, {"s32", b32}, {"u64", b64}, {"s64", b64}};
constexpr Type kFloats[] = {{"f16", f16}, {"bf16", bf16}, {"f32", f32}, {"f64", f64}};
const Names kRoundings = {".rn", ".rz", ".rm", ".rp"};
const Names kWholeRoundings = {".rni", ".rzi", ".rmi", ".rpi"};

struct Range {
  bool isSigned;
  unsigned bits;
};
Range rangeOf(const char* integer) {
  return {integer[0] == 's', static_cast<unsigned>(std::stoul(integer + 1))};
}

/// .sat is allowed only if a value may be out of range.
bool canSaturate(const char* to, const char* from) {
  const Range d = rangeOf(to), a = rangeOf(from);
  if (a.isSigned && !d.isSigned) return true;
  return a.bits > d.bits || (a.bits == d.bits && a.isSigned != d.isSigned);
}

void addIntegers(Forms& forms) {
  for (const Type& to : kIntegers) {
    for (const Type& from : kIntegers) {
      const std::string types = std::string(".") + to.name + "." + from.name;
      add(forms, "cvt" + types, to.kind, {from.kind});
      if (canSaturate(to.name, from.name)) add(forms, "cvt.sat" + types, to.kind, {from.kind});
    }
    if (to.kind != b32) continue;
    for (const Type& from : kIntegers) {
      if (from.kind == b64) continue;
      const std::string name = std::string("cvt.") + to.name + "." + from.name;
      addText(forms, name + " %d, %a; // %d has 64 bits", {b64}, {from.kind});
    }
  }
}

void addFloatToInteger(Forms& forms) {
  for (const Type& from : kFloats) {
    for (const Type& to : kIntegers) {
      if (from.kind == bf16 && rangeOf(to.name).bits == 8) continue;
      const std::string types = std::string(".") + to.name + "." + from.name;
      for (const std::string& rounding : kWholeRoundings) {
        add(forms, "cvt" + rounding + types, to.kind, {from.kind});
        if (from.kind == f32) add(forms, "cvt" + rounding + ".ftz" + types, to.kind, {f32});
      }
      if (from.kind != bf16) add(forms, "cvt.rni.sat" + types, to.kind, {from.kind});
    }
  }
}

void addIntegerToFloat(Forms& forms) {
  for (const Type& to : kFloats) {
    for (const Type& from : kIntegers) {
      if (to.kind == bf16 && rangeOf(from.name).bits == 8) continue;
      for (const std::string& rounding : kRoundings) {
        const std::string types = std::string(".") + to.name + "." + from.name;
        add(forms, "cvt" + rounding + types, to.kind, {from.kind});
        if (rounding == ".rn" && to.kind != bf16) {
          add(forms, "cvt.rn.sat" + types, to.kind, {from.kind});
        }
      }
    }
  }
}

void addWhole(Forms& forms) {
  for (const std::string& rounding : kWholeRoundings) {
    add(forms, "cvt" + rounding + ".f16.f16", f16, {f16});
    add(forms, "cvt" + rounding + ".bf16.bf16", bf16, {bf16});
    add(forms, "cvt" + rounding + ".f64.f64", f64, {f64});
    for (const std::string rest : {"", ".ftz", ".sat", ".ftz.sat"}) {
      add(forms, "cvt" + rounding + rest + ".f32.f32", f32, {f32});
    }
  }
  for (const std::string rest : {"", ".ftz", ".sat", ".ftz.sat"}) {
    add(forms, "cvt" + rest + ".f32.f32", f32, {f32});
  }
  add(forms, "cvt.f64.f64", f64, {f64});
  add(forms, "cvt.sat.f64.f64", f64, {f64});
  add(forms, "cvt.f16.f16", f16, {f16});
  add(forms, "cvt.sat.f16.f16", f16, {f16});
}

void addBetweenFloats(Forms& forms) {
  for (const std::string& rounding : kRoundings) {
    for (const std::string rest : {"", ".ftz", ".sat", ".ftz.sat"}) {
      add(forms, "cvt" + rounding + rest + ".f16.f32", f16, {f32});
      add(forms, "cvt" + rounding + rest + ".f32.f64", f32, {f64});
    }
    add(forms, "cvt" + rounding + ".f16.f64", f16, {f64});
    add(forms, "cvt" + rounding + ".sat.f16.f64", f16, {f64});
    add(forms, "cvt" + rounding + ".bf16.f64", bf16, {f64});
    add(forms, "cvt" + rounding + ".bf16.f32", bf16, {f32});
    add(forms, "cvt" + rounding + ".bf16.f16", bf16, {f16});
    add(forms, "cvt" + rounding + ".f16.bf16", f16, {bf16});
  }
  for (const std::string rest : {"", ".ftz", ".sat", ".ftz.sat"}) {
    add(forms, "cvt" + rest + ".f32.f16", f32, {f16});
    add(forms, "cvt" + rest + ".f64.f32", f64, {f32});
  }
  add(forms, "cvt.f64.f16", f64, {f16});
  add(forms, "cvt.sat.f64.f16", f64, {f16});
  add(forms, "cvt.f32.bf16", f32, {bf16});
  add(forms, "cvt.ftz.f32.bf16", f32, {bf16});
  add(forms, "cvt.f64.bf16", f64, {bf16});
}

void addPacks(Forms& forms) {
  for (const std::string rounding : {".rn", ".rz"}) {
    for (const std::string rest : {"", ".relu", ".satfinite", ".relu.satfinite"}) {
      if (!rest.empty()) {
        add(forms, "cvt" + rounding + rest + ".f16.f32", f16, {f32});
        add(forms, "cvt" + rounding + rest + ".bf16.f32", bf16, {f32});
      }
      add(forms, "cvt" + rounding + rest + ".f16x2.f32", f16x2, {f32, f32});
      add(forms, "cvt" + rounding + rest + ".bf16x2.f32", bf16x2, {f32, f32});
    }
    add(forms, "cvt" + rounding + ".tf32.f32", b32, {f32});
    add(forms, "cvt" + rounding + ".relu.tf32.f32", b32, {f32});
  }
  add(forms, "cvt.rna.tf32.f32", b32, {f32});
  for (const std::string to : {".u16", ".s16"}) {
    add(forms, "cvt.pack.sat" + to + ".s32", b32, {b32, b32});
  }
  for (const std::string to : {".u8", ".s8", ".u4", ".s4", ".u2", ".s2"}) {
    add(forms, "cvt.pack.sat" + to + ".s32.b32", b32, {b32, b32, b32});
  }
}

}  // namespace

void addConvertForms(Forms& forms) {
  addIntegers(forms);
  addFloatToInteger(forms);
  addIntegerToFloat(forms);
  addWhole(forms);
  addBetweenFloats(forms);
  addPacks(forms);
}

}  // namespace tilestep::cosim
