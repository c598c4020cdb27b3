// SPDX-License-Identifier: Apache-2.0
#include "cosim/forms.h"

namespace tilestep::cosim {
namespace {

using enum Kind;
using Names = std::vector<std::string>;

const Names kRoundings = {".rn", ".rz", ".rm", ".rp"};

void addSums(Forms& forms) {
  Names roundings = kRoundings;
  roundings.insert(roundings.begin(), "");
  for (const std::string root : {"add", "sub", "mul"}) {
    for (const std::string& rounding : roundings) {
      for (const std::string modifiers : {"", ".ftz", ".sat", ".ftz.sat"}) {
        add(forms, root + rounding + modifiers + ".f32", f32, {f32, f32});
      }
      add(forms, root + rounding + ".f64", f64, {f64, f64});
    }
  }
  for (const std::string root : {"fma", "mad"}) {
    for (const std::string& rounding : kRoundings) {
      for (const std::string modifiers : {"", ".ftz", ".sat", ".ftz.sat"}) {
        add(forms, root + rounding + modifiers + ".f32", f32, {f32, f32, f32});
      }
      add(forms, root + rounding + ".f64", f64, {f64, f64, f64});
    }
  }
}

void addQuotients(Forms& forms) {
  for (const std::string& rounding : kRoundings) {
    for (const std::string ftz : {"", ".ftz"}) {
      add(forms, "div" + rounding + ftz + ".f32", f32, {f32, f32});
      add(forms, "rcp" + rounding + ftz + ".f32", f32, {f32});
      add(forms, "sqrt" + rounding + ftz + ".f32", f32, {f32});
    }
    add(forms, "div" + rounding + ".f64", f64, {f64, f64});
    add(forms, "rcp" + rounding + ".f64", f64, {f64});
    add(forms, "sqrt" + rounding + ".f64", f64, {f64});
  }
}

void addSigns(Forms& forms) {
  for (const std::string root : {"neg", "abs"}) {
    add(forms, root + ".f32", f32, {f32});
    add(forms, root + ".ftz.f32", f32, {f32});
    add(forms, root + ".f64", f64, {f64});
  }
  add(forms, "copysign.f32", f32, {f32, f32});
  add(forms, "copysign.f64", f64, {f64, f64});
  for (const std::string test :
       {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}) {
    add(forms, "testp." + test + ".f32", pred, {f32});
    add(forms, "testp." + test + ".f64", pred, {f64});
  }
}

void addExtrema(Forms& forms) {
  for (const std::string root : {"min", "max"}) {
    for (const std::string ftz : {"", ".ftz"}) {
      for (const std::string rest : {"", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"}) {
        add(forms, root + ftz + rest + ".f32", f32, {f32, f32});
      }
    }
    add(forms, root + ".f64", f64, {f64, f64});
  }
}

}  // namespace

void addFloatForms(Forms& forms) {
  addSums(forms);
  addQuotients(forms);
  addSigns(forms);
  addExtrema(forms);
}

void addApproximateForms(Forms& forms) {
  for (const std::string ftz : {"", ".ftz"}) {
    add(forms, "div.approx" + ftz + ".f32", f32, {f32, f32}, Check::div);
    add(forms, "div.full" + ftz + ".f32", f32, {f32, f32}, Check::divFull);
    add(forms, "rcp.approx" + ftz + ".f32", f32, {f32}, Check::rcp);
    add(forms, "sqrt.approx" + ftz + ".f32", f32, {f32}, Check::sqrt);
    add(forms, "rsqrt.approx" + ftz + ".f32", f32, {f32}, Check::rsqrt);
    add(forms, "sin.approx" + ftz + ".f32", f32, {f32}, Check::sin);
    add(forms, "cos.approx" + ftz + ".f32", f32, {f32}, Check::cos);
    add(forms, "lg2.approx" + ftz + ".f32", f32, {f32}, Check::lg2);
    add(forms, "ex2.approx" + ftz + ".f32", f32, {f32}, Check::ex2);
  }
  add(forms, "tanh.approx.f32", f32, {f32}, Check::tanh);
  add(forms, "rcp.approx.ftz.f64", f64, {f64}, Check::rcpDouble);
  add(forms, "rsqrt.approx.f64", f64, {f64}, Check::rsqrtDouble);
  add(forms, "rsqrt.approx.ftz.f64", f64, {f64}, Check::rsqrtDoubleCoarse);
  add(forms, "ex2.approx.f16", f16, {f16}, Check::ex2Half);
  add(forms, "ex2.approx.f16x2", f16x2, {f16x2}, Check::ex2Half);
  add(forms, "ex2.approx.ftz.bf16", bf16, {bf16}, Check::ex2Bfloat);
  add(forms, "ex2.approx.ftz.bf16x2", bf16x2, {bf16x2}, Check::ex2Bfloat);
  add(forms, "tanh.approx.f16", f16, {f16}, Check::tanhHalf);
  add(forms, "tanh.approx.f16x2", f16x2, {f16x2}, Check::tanhHalf);
  add(forms, "tanh.approx.bf16", bf16, {bf16}, Check::tanhBfloat);
  add(forms, "tanh.approx.bf16x2", bf16x2, {bf16x2}, Check::tanhBfloat);
}

void addHalfForms(Forms& forms) {
  for (const std::string type : {"f16", "f16x2"}) {
    const Kind kind = type == "f16" ? f16 : f16x2;
    for (const std::string root : {"add", "sub", "mul"}) {
      for (const std::string rest : {".", ".rn.", ".ftz.", ".sat.", ".rn.ftz.sat."}) {
        add(forms, root + rest + type, kind, {kind, kind});
      }
    }
    for (const std::string rest : {"", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu"}) {
      add(forms, "fma.rn" + rest + "." + type, kind, {kind, kind, kind});
    }
    for (const std::string root : {"neg", "abs"}) {
      add(forms, root + "." + type, kind, {kind});
      add(forms, root + ".ftz." + type, kind, {kind});
    }
    for (const std::string root : {"min", "max"}) {
      for (const std::string ftz : {"", ".ftz"}) {
        for (const std::string rest : {"", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"}) {
          add(forms, root + ftz + rest + "." + type, kind, {kind, kind});
        }
      }
    }
  }
  for (const std::string type : {"bf16", "bf16x2"}) {
    const Kind kind = type == "bf16" ? bf16 : bf16x2;
    for (const std::string root : {"add", "sub", "mul"}) {
      add(forms, root + "." + type, kind, {kind, kind});
      add(forms, root + ".rn." + type, kind, {kind, kind});
    }
    add(forms, "fma.rn." + type, kind, {kind, kind, kind});
    add(forms, "fma.rn.relu." + type, kind, {kind, kind, kind});
    add(forms, "neg." + type, kind, {kind});
    add(forms, "abs." + type, kind, {kind});
    for (const std::string root : {"min", "max"}) {
      for (const std::string rest : {"", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"}) {
        add(forms, root + rest + "." + type, kind, {kind, kind});
      }
    }
  }
  for (const std::string type : {"f16", "f16x2", "bf16", "bf16x2"}) {
    const Kind kind = type == "f16"     ? f16
                      : type == "f16x2" ? f16x2
                      : type == "bf16"  ? bf16
                                        : bf16x2;
    add(forms, "fma.rn.oob." + type, kind, {kind, kind, kind});
    add(forms, "fma.rn.oob.relu." + type, kind, {kind, kind, kind});
  }
}

}  // namespace tilestep::cosim
