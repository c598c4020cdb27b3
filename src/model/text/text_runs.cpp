// SPDX-License-Identifier: Apache-2.0
#include "model/text/text_runs.h"

#include <utility>

namespace tilestep::model {
namespace {

struct Markup {
  std::string_view sign;
  TextRun::Look look;
};
constexpr Markup kMarks[] = {{"**", TextRun::Look::strong}, {"`", TextRun::Look::code}};

}  // namespace

std::vector<TextRun> textRuns(std::string_view text) {
  std::vector<TextRun> runs;
  std::string plain;
  const auto flush = [&] {
    if (!plain.empty()) runs.push_back({TextRun::Look::plain, std::exchange(plain, {})});
  };
  while (!text.empty()) {
    size_t taken = 0;
    for (const Markup& mark : kMarks) {
      if (!text.starts_with(mark.sign)) continue;
      const size_t end = text.find(mark.sign, mark.sign.size());
      if (end == std::string_view::npos || end == mark.sign.size()) continue;
      flush();
      runs.push_back(
          {mark.look, std::string(text.substr(mark.sign.size(), end - mark.sign.size()))});
      taken = end + mark.sign.size();
      break;
    }
    if (taken == 0) {
      plain += text.front();
      taken = 1;
    }
    text.remove_prefix(taken);
  }
  flush();
  return runs;
}

}  // namespace tilestep::model
