// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ptx/analysis/grains.h"
#include "ptx/analysis/laps.h"
#include "ptx/analysis/liveness.h"
#include "ptx/rewrite/instrument_gain.h"
#include "ptx/text/printer.h"

namespace tilestep::ptx {

/// The counts of an entry's segments, indexed by segment.
struct EntryCounts {
  const std::vector<Segment>& segments;
  const std::vector<std::vector<AccessGroup>>& groups;
  std::vector<SegmentCounts> counts;               ///< Including barriers.
  std::vector<std::vector<GroupColumns>> columns;  ///< By group.
};

/// Writes the code for loops that are counted by laps. During a lap, a segment that only some lanes
/// may run sets its bit, and an inner loop counts its iterations. At the lap's check each lane
/// compares these, and its global addresses modulo 32, with those of the current run. If all lanes
/// agree, the lap extends the run. Otherwise a function writes out the current run, computes from
/// the bits what this lap counts, and starts another run with it. A run consists of consecutive
/// laps with equal counts.
class LapWriter {
 public:
  LapWriter(const Function& function, const EntryCounts& counts, const LaneMoves& moves)
      : function_(function),
        counts_(counts),
        moves_(moves),
        grains_(function),
        flow_(analyseControlFlow(function)),
        live_(function, flow_) {}

  /// Weaves one loop; `serial` is the loop's number in the module. `epoch` names the register of
  /// the epoch, which only checks advance.
  void weave(const Lap& lap, uint32_t serial, const std::string& epoch, Weave& weave);

  /// The declarations that all loops share.
  [[nodiscard]] Lines declarations() const;
  /// Functions and tables for the module; Probes::merged must precede them.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Cell {
    uint32_t epoch = 0, column = 0;
    auto operator<=>(const Cell&) const = default;
  };
  /// A register that advances by a constant step in every lap, so its value determines the epoch.
  struct Counter {
    uint32_t reg = 0;
    int64_t step = 1;
    bool isAhead = false;  ///< It has already advanced at the check.
  };
  /// The state for weaving one loop.
  struct Work {
    const Lap& lap;
    std::string prefix;                  ///< Prefix of its registers.
    std::string function, table, local;  ///< Names.
    std::vector<uint32_t> places;        ///< Base registers whose last five bits are compared.
    std::vector<uint32_t> globals;       ///< Base registers of global accesses.
    std::vector<uint32_t> bases;         ///< All base registers, those of global accesses first.
    std::vector<uint32_t> repeated;      ///< Segments.
    std::map<Cell, uint32_t> cells;      ///< Their order in the table.
    std::optional<Counter> counter;
  };

  [[nodiscard]] Work workOf(const Lap& lap, uint32_t serial) const;
  void noteCells(Work& work, const LapPart& part) const;
  [[nodiscard]] std::optional<Counter> counterOf(const Lap& lap) const;
  [[nodiscard]] bool isForgotten(const Lap& lap, uint32_t reg) const;
  [[nodiscard]] Lines epochInto(const Work& work, const std::string& to, const std::string& epoch,
                                bool atCheck) const;
  void weaveParts(const Work& work, Weave& weave) const;
  void weaveCheck(const Work& work, const std::string& epoch, Weave& weave) const;
  void weaveChange(const Work& work, const std::string& epoch, Weave& weave);
  void weaveEnds(const Work& work, const std::string& epoch, Weave& weave) const;
  Lines around(const Lap& lap, Lines call, const std::vector<std::string>& more);
  void declare(const Work& work, Weave& weave) const;
  [[nodiscard]] Lines flush(const Work& work, const std::string& epoch) const;
  [[nodiscard]] std::string baseName(uint32_t reg) const { return function_.registers[reg].name; }
  [[nodiscard]] bool isWide(uint32_t reg) const;

  [[nodiscard]] std::string functionText(const Work& work) const;
  void partText(std::string& out, const Work& work, const LapPart& part) const;
  void groupText(std::string& out, const Work& work, const LapPart& part, const AccessGroup& group,
                 const GroupColumns& columns) const;
  /// Byte offsets in a run's local memory: of a cell, a base register's value, a loop's iterations.
  static uint32_t cellAt(const Work& work, uint32_t epoch, uint32_t column);
  static uint32_t baseAt(const Work& work, uint32_t reg);
  static uint32_t roundsAt(const Work& work, uint32_t segment);
  /// The offset of the number of laps that were computed.
  static uint32_t changesAt(const Work& work);

  const Function& function_;
  const EntryCounts& counts_;
  const LaneMoves& moves_;
  Grains grains_;
  ControlFlow flow_;
  Liveness live_;
  std::string text_;
  uint32_t saveBytes_ = 0;
};

}  // namespace tilestep::ptx
