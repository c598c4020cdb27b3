// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_trace.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ptx/rewrite/instrument_parts.h"
#include "ptx/rewrite/log_writer.h"
#include "ptx/text/printer.h"

namespace tilestep::ptx {
namespace {

/// Makes the threads of the traced block run the logging copy of the body.
class LogWeaver {
 public:
  LogWeaver(const Function& entry, const TraceLog& log) : entry_(entry), log_(log) {}

  Weave weave(uint64_t threadsPerBlock, uint32_t registers) {
    weave_.parameters = {".param .u32 tilestep_x", ".param .u32 tilestep_y",
                         ".param .u32 tilestep_z", ".param .u32 tilestep_room",
                         ".param .u64 tilestep_log"};
    choose();
    begin();
    weave_.start.push_back(std::string("bra ") + kLoggedLabel + ";");
    weave_.start.push_back(std::string(kPlainLabel) + ":");
    weaveRecords(entry_, log_, LoggedBody::copy, weave_);
    if (auto limit = threadLimit(entry_, threadsPerBlock)) {
      // With this limit, tracing does not reduce the resident blocks; only the logging copy spills.
      weave_.directives.push_back(registers == 0 ? *limit : ".maxnreg " + number(registers));
    }
    return std::move(weave_);
  }

 private:
  // Every thread checks whether its block is the traced one.
  void choose() {
    Lines& out = weave_.start;
    out.push_back("mov.u32 %tstep_t2, 0;");
    for (const char* axis : {"x", "y", "z"}) {
      out.push_back(std::string("ld.param.u32 %tstep_t0, [tilestep_") + axis + "];");
      out.push_back(std::string("mov.u32 %tstep_t1, %ctaid.") + axis + ";");
      out.push_back("xor.b32 %tstep_t0, %tstep_t0, %tstep_t1;");
      out.push_back("or.b32 %tstep_t2, %tstep_t2, %tstep_t0;");
    }
    out.push_back("setp.ne.u32 %tstep_p, %tstep_t2, 0;");
    out.push_back(std::string("@%tstep_p bra ") + kPlainLabel + ";");
  }

  // Sets the registers of a traced thread: its linear index (%tstep_t0), and the addresses of its
  // entry in the table of ends (%tstep_end), its first word (%tstep_at) and the end of its space
  // (%tstep_limit).
  void begin() {
    append(
        weave_.start,
        {"mov.u32 %tstep_t0, %tid.z;", "mov.u32 %tstep_t1, %ntid.y;", "mov.u32 %tstep_t2, %tid.y;",
         "mad.lo.u32 %tstep_t0, %tstep_t0, %tstep_t1, %tstep_t2;", "mov.u32 %tstep_t1, %ntid.x;",
         "mov.u32 %tstep_t2, %tid.x;", "mad.lo.u32 %tstep_t0, %tstep_t0, %tstep_t1, %tstep_t2;",
         "mov.u16 %tstep_zero, 0;", "ld.param.u64 %tstep_at, [tilestep_log];"});
    addresses();
    append(weave_.start,
           {"mad.wide.u32 %tstep_end, %tstep_t0, 8, %tstep_at;",
            "add.s64 %tstep_end, %tstep_end, " + number(log_.endsAt()) + ";",
            "ld.param.u32 %tstep_t1, [tilestep_room];", "shr.u32 %tstep_t2, %tstep_t0, 5;",
            "mul.wide.u32 %tstep_a, %tstep_t2, %tstep_t1;", "shl.b64 %tstep_a, %tstep_a, 7;",
            "add.s64 %tstep_at, %tstep_at, %tstep_a;", "and.b32 %tstep_t2, %tstep_t0, 31;",
            "mad.wide.u32 %tstep_at, %tstep_t2, 4, %tstep_at;",
            "add.s64 %tstep_at, %tstep_at, " + number(log_.wordsAt()) + ";",
            "mad.wide.u32 %tstep_limit, %tstep_t1, " + number(TraceLog::kStride) + ", %tstep_at;"});
  }

  // The first thread logs the addresses of the variables.
  void addresses() {
    Lines& out = weave_.start;
    uint64_t place = 0;
    const auto store = [&] {
      out.push_back("@%tstep_p st.global.b64 [%tstep_at+" + number(place) + "], %tstep_a;");
      place += 8;
    };
    out.push_back("setp.eq.u32 %tstep_p, %tstep_t0, 0;");
    append(out, {"mov.u64 %tstep_a, 0;", "cvta.shared.u64 %tstep_a, %tstep_a;"});
    store();
    for (const std::string& name : log_.shared) {
      append(out, {"mov.u32 %tstep_t1, " + name + ";", "cvt.u64.u32 %tstep_a, %tstep_t1;"});
      store();
    }
    for (const std::string& name : log_.globals) {
      out.push_back("mov.u64 %tstep_a, " + name + ";");
      store();
    }
  }

  const Function& entry_;
  const TraceLog& log_;
  Weave weave_;
};

}  // namespace

Result<Tracing> instrumentTrace(const Module& module, const Launch& launch, uint32_t registers) {
  const Function* entry = module.find(launch.entry);
  if (entry == nullptr || !entry->isEntry) {
    return requestError("The module has no kernel named " + launch.entry + ".");
  }
  const auto threads = static_cast<uint32_t>(launch.block.count());
  Result<TraceLog> log = traceLogOf(module, *entry, threads);
  if (!log) return log.error();
  Module doubled = withoutLines(module);
  const auto copied =
      std::find_if(doubled.functions.begin(), doubled.functions.end(),
                   [&](const Function& f) { return f.isEntry && f.name == launch.entry; });
  *copied = twice(*copied);
  Edits edits;
  edits.functions[launch.entry] = LogWeaver(*entry, *log).weave(launch.block.count(), registers);
  return Tracing{print(doubled, edits), std::move(*log)};
}

}  // namespace tilestep::ptx
