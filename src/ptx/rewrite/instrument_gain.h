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

/// The counts of a segment that its text determines, by column.
struct SegmentCounts {
  CountPlan::Most each;  ///< In every lane.
  CountPlan::Most lead;  ///< In the lowest lane that runs the segment.
};

/// The columns of a group of accesses; empty where nothing is counted.
struct GroupColumns {
  std::optional<uint32_t> first, second;
};

/// Writes the code for segments whose addresses all move in step (LaneMoves). The counts of such a
/// segment, called its gain, are the same whenever the same lanes run it and their global addresses
/// are equal modulo 32 bytes. The gain is therefore computed once and kept in registers; a visit
/// then needs only a comparison and an addition. All lanes that were active at the start
/// (%tstep_all) share one kept gain; other sets of lanes, for example at the matrix's edges,
/// recompute theirs each time from state in local memory. All lanes of a visit take the same path
/// without a vote, because the set of lanes is constant within it and addresses move in step.
class GainWriter {
 public:
  GainWriter(const Function& function, const CountPlan& plan, const LaneMoves& moves)
      : function_(function), plan_(plan), moves_(moves) {}

  /// Index of the instruction after which the code may be inserted, so that the program's loads are
  /// in flight meanwhile; nothing where some address does not move in step or is overwritten too
  /// soon.
  static std::optional<uint32_t> placeOf(const Function& function, const Segment& segment,
                                         const std::vector<AccessGroup>& groups,
                                         const LaneMoves& moves);

  /// Assigns the registers that hold a segment's gain: unrolled copies of one segment share theirs.
  void name(uint32_t segment, const std::vector<AccessGroup>& groups,
            const std::vector<GroupColumns>& columns, const SegmentCounts& counts);
  /// Sets %tstep_q1 to whether the gain is known. `lanes`: the register with the mask of the lanes
  /// that run the segment.
  void test(Lines& out, uint32_t segment, const std::vector<AccessGroup>& groups,
            const std::string& lanes);
  /// The register of a word of the gain, and the constant that a packed segment adds to that word.
  [[nodiscard]] std::string gain(uint32_t segment, uint32_t word) const;
  [[nodiscard]] uint64_t rest(uint32_t segment, uint32_t word, const SegmentCounts& counts) const;
  /// Words of a packed segment that its gain changes; to the others only the rest is added.
  [[nodiscard]] const std::set<uint32_t>& words(uint32_t segment) const {
    return gains_.at(owner_.at(segment));
  }
  /// Computes the gain into %tstep_h0, %tstep_h1, …
  void workOut(Lines& out, uint32_t segment, const std::vector<AccessGroup>& groups,
               const std::vector<GroupColumns>& columns, const SegmentCounts& counts,
               const std::string& lanes);
  /// If %tstep_q1 is set, keeps the result of `workOut` as the gain of all lanes.
  void keep(Lines& out, uint32_t segment, const std::vector<AccessGroup>& groups);

  [[nodiscard]] Lines declarations() const;
  [[nodiscard]] Lines start() const;
  /// Bytes of local memory used from offset 0, a multiple of 8.
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
  /// The first segment for each combination of everything that a gain depends on.
  std::map<std::string, uint32_t> alike_;
  std::map<uint32_t, uint32_t> owner_;            ///< By segment: the first such segment.
  std::map<uint32_t, std::set<uint32_t>> gains_;  ///< By first segment: its gain's words.
  std::vector<std::string> places_;               ///< Registers of addresses modulo 32.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> states_;  ///< By segment and the group's index.
  uint32_t mostWords_ = 1;
};

}  // namespace tilestep::ptx
