// SPDX-License-Identifier: Apache-2.0
#include "device/hardware_metrics.h"

namespace tilestep::device {

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

}  // namespace tilestep::device
