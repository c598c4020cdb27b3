// SPDX-License-Identifier: Apache-2.0
#include "cosim/forms.h"

namespace tilestep::cosim {
namespace {

using enum Kind;

struct Bits {
  const char* name;
  Kind kind;
};
constexpr Bits kBits[] = {{".b16", b16}, {".b32", b32}, {".b64", b64}};
constexpr Bits kWords[] = {{".u32", b32}, {".s32", b32}, {".u64", b64}, {".s64", b64}};

void addLogic(Forms& forms) {
  for (const auto& type : kBits) {
    for (const std::string root : {"and", "or", "xor"}) {
      add(forms, root + type.name, type.kind, {type.kind, type.kind});
    }
    add(forms, std::string("not") + type.name, type.kind, {type.kind});
    add(forms, std::string("cnot") + type.name, type.kind, {type.kind});
  }
  for (const std::string root : {"and", "or", "xor"})
    add(forms, root + ".pred", pred, {pred, pred});
  add(forms, "not.pred", pred, {pred});
}

void addShifts(Forms& forms) {
  for (const std::string width : {"16", "32", "64"}) {
    const Kind kind = width == "16" ? b16 : width == "32" ? b32 : b64;
    add(forms, "shl.b" + width, kind, {kind, amount});
    for (const std::string sign : {"b", "u", "s"}) {
      add(forms, "shr." + sign + width, kind, {kind, amount});
    }
  }
  for (const char* name :
       {"shf.l.wrap.b32", "shf.l.clamp.b32", "shf.r.wrap.b32", "shf.r.clamp.b32"}) {
    add(forms, name, b32, {b32, b32, amount});
  }
}

void addSearches(Forms& forms) {
  for (const Kind kind : {b32, b64}) {
    const std::string type = kind == b32 ? ".b32" : ".b64";
    add(forms, "popc" + type, b32, {kind});
    add(forms, "clz" + type, b32, {kind});
    add(forms, "brev" + type, kind, {kind});
    add(forms, "bfi" + type, kind, {kind, kind, amount, amount});
  }
  for (const auto& type : kWords) {
    add(forms, std::string("bfind") + type.name, b32, {type.kind});
    add(forms, std::string("bfind.shiftamt") + type.name, b32, {type.kind});
    add(forms, std::string("bfe") + type.name, type.kind, {type.kind, amount, amount});
  }
  add(forms, "fns.b32", b32, {b32, amount, amount});
  for (const std::string mode : {".wrap", ".clamp"}) {
    add(forms, "bmsk" + mode + ".b32", b32, {amount, amount});
    add(forms, "szext" + mode + ".u32", b32, {b32, amount});
    add(forms, "szext" + mode + ".s32", b32, {b32, amount});
  }
}

void addPermutes(Forms& forms) {
  for (const char* mode : {".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"}) {
    add(forms, std::string("prmt.b32") + mode, b32, {b32, b32, amount});
  }
  add(forms, "prmt.b32", b32, {b32, b32, b32});
  for (const char* table : {"0x00", "0x01", "0x1e", "0x2d", "0x40", "0x80", "0x96", "0xca", "0xe8",
                            "0xea", "0xf8", "0xfe", "0xff"}) {
    addText(forms, std::string("lop3.b32 %d, %a, %b, %c, ") + table + ";", {b32}, {b32, b32, b32});
  }
  for (const std::string op : {"or", "and"}) {
    addText(forms, "lop3." + op + ".b32 %d|%e, %a, %b, %c, 0x96, %g;", {b32, pred},
            {b32, b32, b32, pred});
  }
}

}  // namespace

void addBitForms(Forms& forms) {
  addLogic(forms);
  addShifts(forms);
  addSearches(forms);
  addPermutes(forms);
}

void addMoveForms(Forms& forms) {
  add(forms, "mov.pred", pred, {pred});
  add(forms, "mov.b16", b16, {b16});
  add(forms, "mov.b32", b32, {b32});
  add(forms, "mov.b64", b64, {b64});
  add(forms, "mov.f32", f32, {f32});
  add(forms, "mov.f64", f64, {f64});
  addText(forms, "mov.b32 {%d, %e}, %a;", {b16, b16}, {b32});
  addText(forms, "mov.b64 {%d, %e}, %a;", {b32, b32}, {b64});
  addText(forms, "mov.b32 {_, %d}, %a;", {b16}, {b32});
  addText(forms, "mov.b32 %d, {%a, %b};", {b32}, {b16, b16});
  addText(forms, "mov.b64 %d, {%a, %b};", {b64}, {b32, b32});
  addText(forms, "mov.b64 %d, {%a, %b, %c, %g};", {b64}, {b16, b16, b16, b16});
  addText(forms, "mov.b64 {_, %d, %e, _}, %a;", {b16, b16}, {b64});
  addText(forms, "mov.b64 {%d, _, _, %e}, %a;", {b16, b16}, {b64});
  addText(forms, "mov.b32 %d, {%a, 0x1234};", {b32}, {b16});
  for (const std::string type : {"b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64"}) {
    const Kind kind = type[1] == '1' ? b16 : type[1] == '3' ? b32 : b64;
    add(forms, "selp." + type, kind, {kind, kind, pred});
    if (type[0] == 'x') continue;
    add(forms, "slct." + type + ".s32", kind, {kind, kind, b32});
    add(forms, "slct." + type + ".f32", kind, {kind, kind, f32});
    add(forms, "slct.ftz." + type + ".f32", kind, {kind, kind, f32});
  }
  for (const std::string type : {"f32", "f64"}) {
    const Kind kind = type == "f32" ? f32 : f64;
    add(forms, "selp." + type, kind, {kind, kind, pred});
    add(forms, "slct." + type + ".s32", kind, {kind, kind, b32});
    add(forms, "slct." + type + ".f32", kind, {kind, kind, f32});
    add(forms, "slct.ftz." + type + ".f32", kind, {kind, kind, f32});
  }
}

}  // namespace tilestep::cosim
