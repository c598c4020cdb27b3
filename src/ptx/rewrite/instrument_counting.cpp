// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_counting.h"

#include <algorithm>

#include "ptx/rewrite/instrument_copies.h"
#include "ptx/rewrite/instrument_parts.h"
#include "ptx/rewrite/instrument_probes.h"
#include "ptx/rewrite/own_returns.h"
#include "ptx/text/printer.h"

namespace tilestep::ptx {

std::string loggingName(const std::string& entry) {
  return entry + "_tilestep_log";
}

Result<Counting> instrumentCounting(const Module& original, const Module& probes,
                                    const std::vector<Launch>& launches, uint32_t registers) {
  const Result<std::string> functions = Probes::merged(probes);
  if (!functions) return functions.error();
  std::map<std::string, uint64_t> threads;
  for (const Launch& launch : launches) {
    threads[launch.entry] = std::max(threads[launch.entry], launch.block.count());
  }
  const Module plain = withCopiesAsAccesses(withoutLines(original));
  // If threads that return early wrote their signatures at a common return, other threads would
  // wait for them there. Logging threads avoid this differently (log_writer.cpp).
  Module both = withOwnReturns(plain);
  Counting counting;
  Edits edits;
  for (const auto& [name, threadsPerBlock] : threads) {
    const Function* entry = plain.find(name);
    if (entry == nullptr || !entry->isEntry) {
      return requestError("The module has no kernel named " + name + ".");
    }
    if (const auto why = whyNotFollowed(plain, *entry)) {
      return workError("A GPU cannot count " + name + ": " + *why +
                       "; the interpreter can (--device simt).");
    }
    Signing signing = signEntry(*both.find(name), threadsPerBlock, registers);
    Result<Exemplars> exemplars = logExemplars(plain, *entry, threadsPerBlock, registers);
    if (!exemplars) return exemplars.error();
    counting.calls = counting.calls || signing.calls;
    counting.entries[name] = {std::move(signing.layout), std::move(exemplars->log),
                              exemplars->isIndependent, *entry};
    edits.functions[name] = std::move(signing.weave);
    edits.functions[loggingName(name)] = std::move(exemplars->weave);
    exemplars->entry.name = loggingName(name);
    both.functions.push_back(std::move(exemplars->entry));
  }
  // The accesses that were inserted for copies are never printed.
  for (const Function& function : both.functions) {
    if (!edits.functions.contains(function.name))
      edits.functions[function.name].absent = onlyCounted(function);
  }
  if (counting.calls) edits.moduleStart = {*functions};
  counting.ptx = print(both, edits);
  return counting;
}

}  // namespace tilestep::ptx
