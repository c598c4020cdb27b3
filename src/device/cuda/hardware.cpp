// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/hardware.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilestep::cuda {
namespace {

/// Passes that CUPTI may ask for beyond those it announced, before something is wrong.
constexpr size_t kSparePasses = 8;

device::HardwareCounters refused(const Error& error) {
  device::HardwareCounters counters;
  counters.refused = error.message;
  return counters;
}

/// A pass's outcome: the replay's Error ends the job, the profiler's only the counting.
struct PassEnd {
  Status job, profiler;
  bool last = false;
};

PassEnd makePass(RangeProfiler& profiler, const Replay& replay) {
  PassEnd end;
  if (end.profiler = profiler.beginPass(); !end.profiler) return end;
  if (end.job = replay.prepare(); !end.job) return end;
  if (end.profiler = profiler.beginRange(); !end.profiler) return end;
  if (end.job = replay.run(); !end.job) return end;
  const Result<bool> last = profiler.endPass();
  if (!last) {
    end.profiler = last.error();
  } else {
    end.last = *last;
  }
  return end;
}

/// Of each choice the first metric that the chip has.
std::vector<const char*> knownMetrics(const RangeProfiler& profiler) {
  std::vector<const char*> known;
  for (const MetricChoice& choice : metricChoices()) {
    for (const char* metric : choice.metrics) {
      if (!profiler.knows(metric)) continue;
      known.push_back(metric);
      break;
    }
  }
  return known;
}

/// Values under our names; a metric without one is left out.
std::vector<device::HardwareFigure> figuresOf(const std::vector<const char*>& metrics,
                                              const std::vector<double>& values) {
  std::vector<device::HardwareFigure> figures;
  for (const MetricChoice& choice : metricChoices()) {
    for (size_t i = 0; i < metrics.size(); ++i) {
      const auto of = std::ranges::find(choice.metrics, metrics[i]);
      if (of == choice.metrics.end() || !std::isfinite(values[i])) continue;
      figures.push_back({choice.name, metrics[i], choice.unit, values[i] * choice.scale});
    }
  }
  return figures;
}

}  // namespace

const std::vector<MetricChoice>& metricChoices() {
  static const std::vector<MetricChoice> choices{
      {"dram_bytes_read", Unit::bytes, 1, {"dram__bytes_read.sum", "dram__bytes_op_read.sum"}},
      {"dram_bytes_written", Unit::bytes, 1, {"dram__bytes_write.sum", "dram__bytes_op_write.sum"}},
      {"l2_read_sectors", Unit::count, 1, {"lts__t_sectors_op_read.sum"}},
      {"l2_write_sectors", Unit::count, 1, {"lts__t_sectors_op_write.sum"}},
      {"l2_hit_share", Unit::ratio, 0.01, {"lts__t_sector_hit_rate.pct"}},
      {"global_load_requests", Unit::count, 1, {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}},
      {"global_load_sectors", Unit::count, 1, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
      {"global_load_hit_sectors",
       Unit::count,
       1,
       {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"}},
      {"global_store_requests",
       Unit::count,
       1,
       {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}},
      {"global_store_sectors", Unit::count, 1, {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}},
      {"shared_load_wavefronts",
       Unit::count,
       1,
       {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}},
      {"shared_store_wavefronts",
       Unit::count,
       1,
       {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}},
      {"shared_load_bank_conflicts",
       Unit::count,
       1,
       {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}},
      {"shared_store_bank_conflicts",
       Unit::count,
       1,
       {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}},
      {"achieved_occupancy",
       Unit::ratio,
       0.01,
       {"sm__warps_active.avg.pct_of_peak_sustained_active"}},
      {"instructions_executed", Unit::count, 1, {"smsp__inst_executed.sum"}},
      {"instructions_issued", Unit::count, 1, {"smsp__inst_issued.sum"}},
      {"ffma",
       Unit::count,
       1,
       {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
        "sm__sass_thread_inst_executed_op_ffma_pred_on.sum"}},
  };
  return choices;
}

Result<device::HardwareCounters> readHardware(const cupti::Library& library,
                                              const ProfiledDevice& device, const Replay& replay) {
  RangeProfiler profiler(library);
  if (Status s = profiler.start(device); !s) return refused(s.error());
  const auto metrics = profiler.choose(knownMetrics(profiler));
  if (!metrics) return refused(metrics.error());
  if (Status s = profiler.enable(); !s) return refused(s.error());
  device::HardwareCounters counters;
  for (bool last = false; !last; ++counters.passes) {
    if (counters.passes >= profiler.announcedPasses() + kSparePasses) {
      return refused(
          requestError("No hardware counters: CUPTI asked for more passes than it had "
                       "announced; see that its version fits the driver."));
    }
    const PassEnd end = makePass(profiler, replay);
    if (!end.job) return end.job.error();
    if (!end.profiler) return refused(end.profiler.error());
    last = end.last;
  }
  const Result<std::vector<double>> values = profiler.values();
  if (!values) return refused(values.error());
  counters.figures = figuresOf(*metrics, *values);
  return counters;
}

}  // namespace tilestep::cuda
