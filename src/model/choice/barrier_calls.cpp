// SPDX-License-Identifier: Apache-2.0
#include "model/choice/barrier_calls.h"

#include <algorithm>

#include "compile/text/cuda_lexer.h"

namespace tilestep::model {

std::vector<BarrierCall> barrierCalls(std::string_view source) {
  const std::vector<compile::CudaToken> tokens = compile::cudaTokens(source);
  std::vector<BarrierCall> calls;
  for (size_t i = 0; i + 3 < tokens.size(); ++i) {
    const bool ofWarp = tokens[i].is("__syncwarp");
    if ((!ofWarp && !tokens[i].is("__syncthreads")) || !tokens[i + 1].is("(") ||
        !tokens[i + 2].is(")") || !tokens[i + 3].is(";"))
      continue;
    const auto begin = static_cast<size_t>(tokens[i].text.data() - source.data());
    const auto end = static_cast<size_t>(tokens[i + 3].text.data() - source.data()) + 1;
    // Skips calls that contain a comment, because its end would also end the comment that removes
    // the call.
    if (source.substr(begin, end - begin).find("*/") != std::string_view::npos) continue;
    const auto lines = std::ranges::count(source.substr(0, begin), '\n');
    calls.push_back({static_cast<uint32_t>(lines) + 1, begin, end, ofWarp});
  }
  return calls;
}

std::string withoutBarrier(const std::string& source, const BarrierCall& call) {
  std::string changed = source;
  // Leaves the semicolon, because the call may be the entire body of an `if`.
  changed.insert(call.end - 1, " */");
  return changed.insert(call.begin, "/* ");
}

std::optional<ChangedKernel> withoutBarrier(const compile::CatalogueEntry& entry, uint32_t number) {
  // A program's launch cannot be changed, because its file determines it.
  if (number == 0 || !entry.spec || entry.source.launch != nullptr) return std::nullopt;
  const std::vector<BarrierCall> calls = barrierCalls(entry.source.text);
  if (number > calls.size()) return std::nullopt;
  ChangedKernel changed{entry, calls[number - 1].line};
  changed.entry.source.text = withoutBarrier(entry.source.text, calls[number - 1]);
  // Without the barrier, epochs no longer match the front matter.
  changed.entry.spec->epochsPerPhase = 0;
  return changed;
}

}  // namespace tilestep::model
