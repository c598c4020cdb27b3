// SPDX-License-Identifier: Apache-2.0
#include "base/sentence.h"

namespace tilestep {

std::string asSentence(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  if (!text.empty() && !text.ends_with('.')) text += '.';
  return text;
}

}  // namespace tilestep
