// SPDX-License-Identifier: Apache-2.0
// setp and set: every relation of every type, then each combination on a few types.
#include "cosim/forms.h"

namespace tilestep::cosim {
namespace {

using enum Kind;
using Names = std::vector<std::string>;

struct Type {
  const char* name;
  Kind kind;
  char family;  ///< b, u, s, f
};
constexpr Type kTypes[] = {{"b16", b16, 'b'}, {"b32", b32, 'b'}, {"b64", b64, 'b'},
                           {"u16", b16, 'u'}, {"u32", b32, 'u'}, {"u64", b64, 'u'},
                           {"s16", b16, 's'}, {"s32", b32, 's'}, {"s64", b64, 's'},
                           {"f32", f32, 'f'}, {"f64", f64, 'f'}};

Names relationsOf(char family) {
  Names names = {"eq", "ne"};
  const auto append = [&](const Names& more) {
    names.insert(names.end(), more.begin(), more.end());
  };
  if (family != 'b') append({"lt", "le", "gt", "ge"});
  if (family == 'u') append({"lo", "ls", "hi", "hs"});
  if (family == 'f') append({"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  return names;
}

/// Some relations of each family, for the forms that vary something else.
Names fewRelationsOf(char family) {
  if (family == 'b') return {"ne"};
  return family == 'f' ? Names{"lt", "neu", "nan"} : Names{"ne", "ge"};
}

void addPlain(Forms& forms, const Type& type) {
  const std::string t = std::string(".") + type.name;
  for (const std::string& relation : relationsOf(type.family)) {
    add(forms, "setp." + relation + t, pred, {type.kind, type.kind});
    add(forms, "set." + relation + ".u32" + t, b32, {type.kind, type.kind});
    if (type.kind != f32) continue;
    add(forms, "setp." + relation + ".ftz" + t, pred, {type.kind, type.kind});
    add(forms, "set." + relation + ".ftz.u32" + t, b32, {type.kind, type.kind});
  }
  for (const std::string& relation : fewRelationsOf(type.family)) {
    add(forms, "set." + relation + ".s32" + t, b32, {type.kind, type.kind});
    add(forms, "set." + relation + ".f32" + t, f32, {type.kind, type.kind});
  }
}

void addCombined(Forms& forms, const Type& type) {
  const std::string t = std::string(".") + type.name;
  for (const std::string& relation : fewRelationsOf(type.family)) {
    for (const std::string op : {".and", ".or", ".xor"}) {
      const std::string name = relation + op;
      for (const std::string c : {"%c", "!%c"}) {
        addText(forms, "setp." + name + t + " %d, %a, %b, " + c + ";", {pred},
                {type.kind, type.kind, pred});
        addText(forms, "setp." + name + t + " %d|%e, %a, %b, " + c + ";", {pred, pred},
                {type.kind, type.kind, pred});
        addText(forms, "set." + name + ".u32" + t + " %d, %a, %b, " + c + ";", {b32},
                {type.kind, type.kind, pred});
      }
    }
    addText(forms, "setp." + relation + t + " %d|%e, %a, %b;", {pred, pred},
            {type.kind, type.kind});
  }
}

void addHalf(Forms& forms, const std::string& type, Kind kind) {
  const bool isPair = type.ends_with("x2"), isBfloat = type[0] == 'b';
  for (const std::string ftz : {"", ".ftz"}) {
    if (isBfloat && !ftz.empty()) continue;
    for (const std::string& relation : relationsOf('f')) {
      const std::string name = "setp." + relation + ftz + "." + type;
      if (isPair)
        addText(forms, name + " %d|%e, %a, %b;", {pred, pred}, {kind, kind});
      else
        add(forms, name, pred, {kind, kind});
    }
    for (const std::string relation : {"lt", "neu", "num", "nan"}) {
      const std::string name = "set." + relation + ftz;
      add(forms, name + "." + type + "." + type, kind, {kind, kind});
      for (const std::string d : {"u32", "s32"}) {
        add(forms, name + "." + d + "." + type, b32, {kind, kind});
      }
      if (isPair) continue;
      for (const std::string d : {"u16", "s16"}) {
        add(forms, name + "." + d + "." + type, b16, {kind, kind});
      }
    }
  }
  for (const std::string op : {".and", ".or", ".xor"}) {
    if (isPair)
      addText(forms, "setp.le" + op + "." + type + " %d|%e, %a, %b, !%c;", {pred, pred},
              {kind, kind, pred});
    else
      addText(forms, "setp.le" + op + "." + type + " %d, %a, %b, !%c;", {pred}, {kind, kind, pred});
  }
}

}  // namespace

void addCompareForms(Forms& forms) {
  for (const Type& type : kTypes) addPlain(forms, type);
  for (const Type& type : kTypes) {
    const std::string name = type.name;
    if (name == "u32" || name == "s64" || name == "f32") addCombined(forms, type);
  }
  addHalf(forms, "f16", f16);
  addHalf(forms, "f16x2", f16x2);
  addHalf(forms, "bf16", bf16);
  addHalf(forms, "bf16x2", bf16x2);
}

}  // namespace tilestep::cosim
