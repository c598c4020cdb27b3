// SPDX-License-Identifier: Apache-2.0
#include "cosim/forms.h"

namespace tilestep::cosim {

unsigned bytesOf(Kind kind) {
  switch (kind) {
    case Kind::b16:
    case Kind::f16:
    case Kind::bf16:
      return 2;
    case Kind::b64:
    case Kind::f64:
      return 8;
    default:
      return 4;
  }
}

void addText(Forms& forms, const std::string& text, const std::vector<Kind>& results,
             const std::vector<Kind>& sources) {
  forms.push_back({text, results, sources, Check::exact});
}

void add(Forms& forms, const std::string& name, Kind result, const std::vector<Kind>& sources,
         Check check) {
  std::string text = name + " %d";
  for (size_t i = 0; i < sources.size(); ++i) text += std::string(", %") + "abcg"[i];
  forms.push_back({text + ";", {result}, sources, check});
}

std::vector<Form> allForms() {
  Forms forms;
  for (const auto group :
       {addIntegerForms, addBitForms, addCarryForms, addVideoForms, addFloatForms,
        addApproximateForms, addHalfForms, addCompareForms, addConvertForms, addMoveForms}) {
    group(forms);
  }
  return forms;
}

}  // namespace tilestep::cosim
