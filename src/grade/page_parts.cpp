// SPDX-License-Identifier: Apache-2.0
#include "grade/page_parts.h"

#include <fmt/format.h>

#include "base/html_text.h"

namespace tilestep::grade {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 46rem;
       padding: 0 1rem; color: #1c1c1a; background: #fbfbf9; }
h1 { font-size: 1.4rem; margin-bottom: 0; }
p.who { margin-top: .2rem; color: #5c5c56; }
p.verdict { font-size: 1.15rem; padding: .6rem .9rem; border-left: .3rem solid; }
p.right { border-color: #1a7f37; background: #e9f5ec; }
p.wrong, p.refused { border-color: #b42318; background: #fbeceb; }
p.unjudged, p.failed { border-color: #8a6100; background: #fbf3df; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #d8d8d2;
         vertical-align: top; }
td.marks { white-space: nowrap; font-variant-numeric: tabular-nums; }
code { font-family: ui-monospace, monospace; }
footer { margin-top: 2rem; font-size: .85rem; color: #5c5c56; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  body { color: #ecece7; background: #1b1b19; }
  p.who, footer { color: #a8a8a0; }
  p.right { background: #14301c; } p.wrong, p.refused { background: #3a1a17; }
  p.unjudged, p.failed { background: #33290f; }
  th, td { border-color: #3a3a36; }
})";

}  // namespace

std::string handInsText(size_t count) {
  return fmt::format("{} hand-in{}", count, count == 1 ? "" : "s");
}

std::string pageHead(const std::string& title, const std::string& style) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n";
  return page + fmt::format("<title>{}</title><style>{}{}</style></head><body>\n",
                            escapedHtml(title), kStyle, style);
}

}  // namespace tilestep::grade
