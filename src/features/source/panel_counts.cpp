// SPDX-License-Identifier: Apache-2.0
#include "features/source/panel_counts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "base/figure.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using Counts = std::map<uint32_t, uint64_t> RunCounts::*;

uint64_t countIn(const std::shared_ptr<const RunCounts>& counts, Counts by, uint32_t what) {
  if (!counts) return 0;
  const auto count = ((*counts).*by).find(what);
  return count == ((*counts).*by).end() ? 0 : count->second;
}

std::string warpInstructions(uint64_t count, bool covered) {
  return covered ? "? warp instructions" : plural(count, "warp instruction");
}

float widthOf(const Context& context, const std::string& text) {
  ImFont* font = context.fonts.monoSmall;
  return font->CalcTextSizeA(compat::sizeOf(font), 1e9F, 0, text.c_str()).x;
}

}  // namespace

RunsOf runsOfLine(const SourceView& view, uint32_t line) {
  return {countIn(view.stepCounts, &RunCounts::byLine, line),
          countIn(view.counts, &RunCounts::byLine, line)};
}

RunsOf runsOfInstruction(const SourceView& view, uint32_t instruction) {
  return {countIn(view.stepCounts, &RunCounts::byInstruction, instruction),
          countIn(view.counts, &RunCounts::byInstruction, instruction)};
}

std::string runsText(const RunsOf& runs, bool covered) {
  if (runs.now == 0) return {};
  return (covered ? "?" : grouped(runs.now)) + " instr.";
}

std::string runsHover(const RunsOf& runs, bool covered, const std::string& recorder) {
  return (runs.now == 0 ? "Does not run in this step."
                        : "In this step: " + warpInstructions(runs.now, covered) + ".") +
         " In all steps of this block: " + warpInstructions(runs.all, covered) +
         ", counted from its trace (" + recorder +
         "). Only instructions that access memory, add to a sum or wait are counted. A click "
         "goes to the next step that runs it, Shift+click to the previous one (N, Shift+N).";
}

float marginWidth(const Context& context) {
  const auto& counts = context.snapshot.view<SourceView>().counts;
  uint64_t most = 1;
  if (counts)
    for (const auto& [line, count] : counts->byLine) most = std::max(most, count);
  return widthOf(context, runsText({most, most}, false)) +
         0.8F * compat::sizeOf(context.fonts.mono);
}

void drawInMargin(const Context& context, const std::string& text, float right, float y) {
  ImFont* font = context.fonts.monoSmall;
  const float size = compat::sizeOf(font);
  const float left = right - widthOf(context, text) - 0.8F * compat::sizeOf(context.fonts.mono);
  ImGui::GetWindowDrawList()->AddText(font, size, {std::round(left), std::round(y + 0.08F * size)},
                                      colour(context.palette.text), text.c_str());
}

}  // namespace tilestep::features
