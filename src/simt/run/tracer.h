// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "simt/run/worker.h"
#include "trace/event.h"

namespace tilestep::simt {

/// Writes one block's events into a recording. Invalid accesses are omitted.
class Tracer : public BlockObserver {
 public:
  Tracer(const Setup& setup, trace::BlockTrace& recording);

  void before(const Context& context, const Instr& instr) override;
  void after(const Context& context, const Instr& instr) override;
  void barrier(const Warp& warp, uint32_t instruction) override;
  void arrived(const Warp& warp, const std::vector<AsyncCopies::Copy>& copies,
               const uint8_t* shared) override;
  void uneven() override { recording_.uneven = true; }

 private:
  struct LaneAccess {
    trace::Space space = trace::Space::none;
    int16_t buffer = -1;
    uint32_t offset = 0;
    bool operator==(const LaneAccess&) const = default;
  };
  [[nodiscard]] LaneAccess locate(const Instr& instr, uint64_t address) const;
  [[nodiscard]] LaneAccess locateGlobal(uint16_t region, uint64_t offset) const;
  [[nodiscard]] LaneAccess locateShared(uint64_t offset, uint8_t bytes) const;
  void access(const Context& context, const Instr& instr);
  void beginCopy(const Context& context, const Instr& instr);
  void accumulate(const Context& context, const Instr& instr);
  [[nodiscard]] trace::TraceEvent eventOf(const Warp& warp, uint32_t instruction);
  void append(const trace::TraceEvent& event);

  const Setup& setup_;
  trace::BlockTrace& recording_;
  std::vector<uint32_t> sequence_;        ///< By warp.
  std::array<LaneAccess, kLanes> lanes_;  ///< Accesses of the current instruction.
  uint32_t mask_ = 0;
};

}  // namespace tilestep::simt
