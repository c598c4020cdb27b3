// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ptx/analysis/lane_moves.h"
#include "ptx/rewrite/instrument_groups.h"
#include "ptx/rewrite/instrument_plan.h"

namespace tilestep::ptx {

/// What a segment's text says that it counts, by column.
struct SegmentCounts {
  CountPlan::Most each;  ///< In every lane.
  CountPlan::Most lead;  ///< In the lowest lane that runs it.
};

/// Columns of a group of accesses; empty where nothing is counted.
struct GroupColumns {
  std::optional<uint32_t> first, second;
};

/// Writes the code of segments whose addresses all move in step (LaneMoves). What such a segment
/// counts, its gain, is the same whenever the same lanes run it and their global addresses lie
/// alike within 32 bytes. So the gain is worked out once and kept in registers, and a visit is a
/// comparison and an addition. All lanes that were there at the start (%tstep_all) keep one gain;
/// other sets of lanes, at the matrix's edges say, work theirs out again each time from what they
/// keep in local memory. Which way a visit goes is the same for all of its lanes without a vote:
/// the set is the same in all of it, and addresses move in step.
class GainWriter {
 public:
  GainWriter(const Function& function, const CountPlan& plan, const LaneMoves& moves)
      : function_(function), plan_(plan), moves_(moves) {}

  /// Index of the instruction that the code may stand behind, so that its loads are under way
  /// meanwhile; nothing where some address does not move in step or is overwritten too soon.
  static std::optional<uint32_t> placeOf(const Function& function, const Segment& segment,
                                         const std::vector<AccessGroup>& groups,
                                         const LaneMoves& moves);

  /// Says which registers hold a segment's gain: unrolled copies of one segment share theirs.
  void name(uint32_t segment, const std::vector<AccessGroup>& groups,
            const std::vector<GroupColumns>& columns, const SegmentCounts& counts);
  /// Leaves in %tstep_q1 whether the gain is known. Needs the lanes in `lanes`.
  void test(Lines& out, uint32_t segment, const std::vector<AccessGroup>& groups,
            const std::string& lanes);
  /// The register of a word of the gain; and what a packed segment adds to it itself.
  [[nodiscard]] std::string gain(uint32_t segment, uint32_t word) const;
  [[nodiscard]] uint64_t rest(uint32_t segment, uint32_t word, const SegmentCounts& counts) const;
  /// Words of a packed segment that it gains in; to others it adds the rest alone.
  [[nodiscard]] const std::set<uint32_t>& words(uint32_t segment) const {
    return gains_.at(owner_.at(segment));
  }
  /// Works the gain out, into %tstep_h0, %tstep_h1, …
  void workOut(Lines& out, uint32_t segment, const std::vector<AccessGroup>& groups,
               const std::vector<GroupColumns>& columns, const SegmentCounts& counts,
               const std::string& lanes);
  /// Where %tstep_q1, keeps what `workOut` found as the gain of all lanes.
  void keep(Lines& out, uint32_t segment, const std::vector<AccessGroup>& groups);

  [[nodiscard]] Lines declarations() const;
  [[nodiscard]] Lines start() const;
  /// Bytes of local memory from 0 on, in multiples of 8.
  [[nodiscard]] uint32_t localBytes() const { return 16 * static_cast<uint32_t>(states_.size()); }
  /// Name of the local memory.
  static constexpr const char* kLocal = "tstep_local_bytes";

 private:
  void addGroup(Lines& out, uint32_t segment, const AccessGroup& group, const GroupColumns& columns,
                const std::string& lanes);
  void addGain(Lines& out, uint32_t segment, std::optional<uint32_t> column,
               const std::string& value, uint32_t times);
  std::string address(Lines& out, const AccessGroup& group, int64_t offset) const;
  [[nodiscard]] std::string placeRegister(uint32_t segment, size_t group) const {
    return "%tstep_p" + std::to_string(owner_.at(segment)) + "_" + std::to_string(group);
  }

  const Function& function_;
  const CountPlan& plan_;
  const LaneMoves& moves_;
  std::map<std::string, uint32_t> alike_;         ///< By what a gain depends on: its first segment.
  std::map<uint32_t, uint32_t> owner_;            ///< By segment: that first segment.
  std::map<uint32_t, std::set<uint32_t>> gains_;  ///< By such a segment: words.
  std::vector<std::string> places_;               ///< Registers of addresses modulo 32.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> states_;  ///< By segment and group's index.
  uint32_t mostWords_ = 1;
};

}  // namespace tilestep::ptx
