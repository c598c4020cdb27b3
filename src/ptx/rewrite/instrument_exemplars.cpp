// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_exemplars.h"

#include <algorithm>
#include <string>
#include <vector>

#include "ptx/analysis/uses.h"
#include "ptx/rewrite/instrument_copies.h"
#include "ptx/rewrite/instrument_parts.h"
#include "ptx/rewrite/log_writer.h"

namespace tilestep::ptx {
namespace {

/// Whether blocks may depend on each other while they run.
bool exchanges(const Instruction& i) {
  const Effect effect = effectOf(i);
  const bool isOfBlock = i.space == Space::shared;
  return (effect == Effect::atomic && !isOfBlock) || effect == Effect::fence ||
         effect == Effect::object || effect == Effect::call || (i.isVolatile && !isOfBlock) ||
         i.has("acquire") || i.has("release") || i.has("relaxed");
}

/// Makes exemplars log, and makes blocks that are not needed exit. With LoggedBody::only, the few
/// other warps that run execute the same code with an empty log: one body compiles faster.
Weave weaveExemplars(const Function& entry, const TraceLog& log, uint64_t threadsPerBlock,
                     uint32_t registers, LoggedBody body) {
  Weave weave;
  weave.parameters = {".param .u64 tilestep_places", ".param .u64 tilestep_logs",
                      ".param .u64 tilestep_ends"};
  weave.declarations = {".reg .b32 %tstep_t4;"};
  const auto add = [&](const Lines& lines) {
    weave.start.insert(weave.start.end(), lines.begin(), lines.end());
  };
  const std::string chosen = "$tilestep_chosen", ready = "$tilestep_ready";
  add(numberThreads());
  add({"shr.u32 %tstep_t1, %tstep_t3, 5;",
       "mad.lo.u32 %tstep_t0, %tstep_t0, %tstep_t4, %tstep_t1;",
       "ld.param.u64 %tstep_a, [tilestep_places];",
       "mad.wide.u32 %tstep_a, %tstep_t0, 4, %tstep_a;",
       "ld.global.u32 %tstep_t0, [%tstep_a];",
       "setp.ne.u32 %tstep_p, %tstep_t0, " + std::to_string(ExemplarLog::kAbsent) + ";",
       "@%tstep_p bra " + chosen + ";",
       "ret;",
       chosen + ":",
       "and.b32 %tstep_t3, %tstep_t3, 31;",
       "ld.param.u64 %tstep_end, [tilestep_ends];",
       "mad.lo.u32 %tstep_t1, %tstep_t0, 32, %tstep_t3;",
       "mad.wide.u32 %tstep_end, %tstep_t1, 8, %tstep_end;",
       "mov.u64 %tstep_at, 0;",
       "mov.u64 %tstep_limit, 0;",
       "setp.eq.u32 %tstep_p, %tstep_t0, " + std::to_string(ExemplarLog::kNone) + ";",
       "@%tstep_p bra " + (body == LoggedBody::copy ? std::string(kPlainLabel) : ready) + ";",
       "sub.u32 %tstep_t0, %tstep_t0, 1;",
       "ld.param.u64 %tstep_a, [tilestep_logs];",
       "mad.wide.u32 %tstep_a, %tstep_t0, 16, %tstep_a;",
       "ld.global.u64 %tstep_at, [%tstep_a];",
       "ld.global.u64 %tstep_limit, [%tstep_a+8];",
       "mad.wide.u32 %tstep_at, %tstep_t3, 4, %tstep_at;",
       "mad.lo.u64 %tstep_limit, %tstep_limit, " + std::to_string(TraceLog::kStride) +
           ", %tstep_at;"});
  if (body == LoggedBody::copy) {
    add({std::string("bra ") + kLoggedLabel + ";", std::string(kPlainLabel) + ":"});
  } else {
    add({ready + ":"});
  }
  weaveRecords(entry, log, body, weave);
  if (auto limit = threadLimit(entry, threadsPerBlock)) {
    weave.directives.push_back(registers == 0 ? *limit : ".maxnreg " + std::to_string(registers));
  }
  return weave;
}

}  // namespace

Result<Exemplars> logExemplars(const Module& module, const Function& entry,
                               uint64_t threadsPerBlock, uint32_t registers) {
  Result<TraceLog> log = traceLogOf(module, entry, TraceLog::kLanes, LogContent::addresses);
  if (!log) return log.error();
  Exemplars made;
  made.isIndependent = std::ranges::none_of(entry.body, exchanges);
  const LoggedBody body = made.isIndependent ? LoggedBody::only : LoggedBody::copy;
  made.entry = body == LoggedBody::only ? entry : twice(entry);
  made.weave = weaveExemplars(entry, *log, threadsPerBlock, registers, body);
  made.weave.absent = onlyCounted(made.entry);
  made.log = std::move(*log);
  return made;
}

}  // namespace tilestep::ptx
