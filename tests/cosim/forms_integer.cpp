// SPDX-License-Identifier: Apache-2.0
#include "cosim/forms.h"

namespace tilestep::cosim {
namespace {

using enum Kind;

struct Integer {
  const char* name;
  Kind kind;
  Kind twice;
};
constexpr Integer kIntegers[] = {{"u16", b16, b32}, {"s16", b16, b32}, {"u32", b32, b64},
                                 {"s32", b32, b64}, {"u64", b64, b64}, {"s64", b64, b64}};

void addSums(Forms& forms) {
  for (const auto& type : kIntegers) {
    const std::string t = std::string(".") + type.name;
    for (const char* root : {"add", "sub", "div", "rem", "min", "max"}) {
      add(forms, root + t, type.kind, {type.kind, type.kind});
    }
    add(forms, "sad" + t, type.kind, {type.kind, type.kind, type.kind});
  }
  for (const char* name :
       {"add.sat.s32", "sub.sat.s32", "min.relu.s32", "max.relu.s32", "add.u16x2", "add.s16x2",
        "min.u16x2", "min.s16x2", "max.u16x2", "max.s16x2", "min.relu.s16x2", "max.relu.s16x2"}) {
    add(forms, name, b32, {b32, b32});
  }
  for (const char* type : {"s16", "s32", "s64"}) {
    const Kind kind = type[1] == '1' ? b16 : type[1] == '3' ? b32 : b64;
    add(forms, std::string("abs.") + type, kind, {kind});
    add(forms, std::string("neg.") + type, kind, {kind});
  }
}

void addProducts(Forms& forms) {
  for (const auto& type : kIntegers) {
    const std::string t = std::string(".") + type.name;
    for (const std::string part : {".lo", ".hi"}) {
      add(forms, "mul" + part + t, type.kind, {type.kind, type.kind});
      add(forms, "mad" + part + t, type.kind, {type.kind, type.kind, type.kind});
    }
    if (type.kind == b64) continue;
    add(forms, "mul.wide" + t, type.twice, {type.kind, type.kind});
    add(forms, "mad.wide" + t, type.twice, {type.kind, type.kind, type.twice});
  }
  add(forms, "mad.hi.sat.s32", b32, {b32, b32, b32});
  for (const char* rest : {".lo.u32", ".lo.s32", ".hi.u32", ".hi.s32"}) {
    add(forms, std::string("mul24") + rest, b32, {b32, b32});
    add(forms, std::string("mad24") + rest, b32, {b32, b32, b32});
  }
  add(forms, "mad24.hi.sat.s32", b32, {b32, b32, b32});
}

void addDotProducts(Forms& forms) {
  for (const std::string a : {".u32", ".s32"}) {
    for (const std::string b : {".u32", ".s32"}) {
      add(forms, "dp4a" + a + b, b32, {b32, b32, b32});
      add(forms, "dp2a.lo" + a + b, b32, {b32, b32, b32});
      add(forms, "dp2a.hi" + a + b, b32, {b32, b32, b32});
    }
  }
}

}  // namespace

void addIntegerForms(Forms& forms) {
  addSums(forms);
  addProducts(forms);
  addDotProducts(forms);
}

/// Each chain ends by writing the carry out, so that the flag itself is visible.
void addCarryForms(Forms& forms) {
  for (const std::string type : {".u32", ".s32", ".u64", ".s64"}) {
    const Kind kind = type[2] == '3' ? b32 : b64;
    const std::string add0 = "addc" + type + " %e, %c, 0;", sub0 = "subc" + type + " %e, %c, 0;";
    const auto chain = [&](const std::string& text) {
      addText(forms, text, {kind, kind}, {kind, kind, kind});
    };
    chain("add.cc" + type + " %d, %a, %b; " + add0);
    chain("sub.cc" + type + " %d, %a, %b; " + sub0);
    chain("add.cc" + type + " %d, %a, %b; addc.cc" + type + " %d, %c, %a; " + add0);
    chain("sub.cc" + type + " %d, %a, %b; subc.cc" + type + " %d, %c, %a; " + sub0);
    chain("add.cc" + type + " %d, %a, %b; addc" + type + " %e, %b, %c;");
    chain("sub.cc" + type + " %d, %a, %b; subc" + type + " %e, %b, %c;");
    for (const std::string part : {".lo", ".hi"}) {
      chain("mad" + part + ".cc" + type + " %d, %a, %b, %c; " + add0);
      chain("add.cc" + type + " %e, %a, %b; madc" + part + type + " %d, %a, %b, %c;");
      chain("add.cc" + type + " %e, %a, %b; madc" + part + ".cc" + type + " %d, %a, %b, %c; " +
            add0);
    }
  }
}

void addVideoForms(Forms& forms) {
  for (const std::string root : {"vadd", "vsub", "vabsdiff", "vavrg", "vmin", "vmax"}) {
    for (const std::string lanes : {"2", "4"}) {
      for (const std::string type : {".u32.u32.u32", ".s32.s32.s32", ".s32.u32.s32"}) {
        if (root == "vavrg" && type == ".s32.u32.s32") continue;
        for (const std::string tail : {"", ".add"}) {
          add(forms, root + lanes + type + tail, b32, {b32, b32, b32});
        }
        if (root == "vavrg") continue;
        add(forms, root + lanes + type + ".sat", b32, {b32, b32, b32});
      }
    }
  }
}

}  // namespace tilestep::cosim
