// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The forms of per-lane instructions that the co-simulation runs on a GPU and in the interpreter.
namespace tilestep::cosim {

/// The contents of a form's register: their width, and the values to test.
enum class Kind : uint8_t {
  b16,
  b32,
  b64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
  pred,    ///< A predicate, converted from and to 0 or 1.
  amount,  ///< 32 bits: shift amounts, positions, lengths.
};

/// How closely the interpreter must agree with the GPU.
enum class Check : uint8_t {
  exact,  ///< Equal to the bit.
  div,
  divFull,
  rcp,
  rcpDouble,
  sqrt,
  rsqrt,
  rsqrtDouble,
  rsqrtDoubleCoarse,
  sin,
  cos,
  lg2,
  ex2,
  tanh,
  ex2Half,
  tanhHalf,
  ex2Bfloat,
  tanhBfloat,  ///< Within the bound of bounds.h.
};

/// Instructions over the sources %a, %b, %c, %g and the results %d, %e.
struct Form {
  std::string text;
  std::vector<Kind> results, sources;
  Check check = Check::exact;
};

/// All forms. The order changes only by additions at the end of each group.
[[nodiscard]] std::vector<Form> allForms();

[[nodiscard]] unsigned bytesOf(Kind kind);

using Forms = std::vector<Form>;
/// "name %d, %a, %b;" with one result.
void add(Forms& forms, const std::string& name, Kind result, const std::vector<Kind>& sources,
         Check check = Check::exact);
/// Adds `text` unchanged.
void addText(Forms& forms, const std::string& text, const std::vector<Kind>& results,
             const std::vector<Kind>& sources);

void addIntegerForms(Forms& forms);
void addBitForms(Forms& forms);
void addCarryForms(Forms& forms);
void addVideoForms(Forms& forms);
void addFloatForms(Forms& forms);
void addApproximateForms(Forms& forms);
void addHalfForms(Forms& forms);
void addCompareForms(Forms& forms);
void addConvertForms(Forms& forms);
void addMoveForms(Forms& forms);

}  // namespace tilestep::cosim
