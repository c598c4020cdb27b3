// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument.h"

#include <algorithm>
#include <map>

#include "ptx/rewrite/instrument_copies.h"
#include "ptx/rewrite/instrument_entry.h"
#include "ptx/rewrite/instrument_parts.h"
#include "ptx/rewrite/instrument_probes.h"
#include "ptx/rewrite/own_returns.h"

namespace tilestep::ptx {

Result<Instrumented> instrument(const Module& original, const Module& probes,
                                const std::vector<Launch>& launches, uint32_t registerLimit,
                                bool withLaps) {
  const Result<std::string> functions = Probes::merged(probes);
  if (!functions) return functions.error();
  std::map<std::string, uint64_t> threads;
  for (const Launch& launch : launches) {
    threads[launch.entry] = std::max(threads[launch.entry], launch.block.count());
  }
  const Module module = withCopiesAsAccesses(withOwnReturns(withoutLines(original)));
  ColumnList columns;
  RunFunctions runs;
  Edits edits;
  for (const auto& [name, threadsPerBlock] : threads) {
    const Function* entry = module.find(name);
    if (entry == nullptr || !entry->isEntry) {
      return requestError("The module has no kernel named " + name + ".");
    }
    Result<Weave> weave =
        weaveEntry(module, *entry, {threadsPerBlock, registerLimit, withLaps}, columns, runs);
    if (!weave) return weave.error();
    edits.functions[name] = std::move(*weave);
  }
  // Accesses added for copies are only counted in entries, and never printed.
  for (const Function& function : module.functions) {
    if (!edits.functions.contains(function.name))
      edits.functions[function.name].absent = onlyCounted(function);
  }
  edits.moduleStart = {functions.value(), runs.text()};
  return Instrumented{print(module, edits), columns.all(), runs.laps() > 0};
}

}  // namespace tilestep::ptx
