// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptx/rewrite/instrument_pattern.h"
#include "ptx/rewrite/instrument_segments.h"

namespace tilestep::ptx {

/// How a segment's counts are stored until the epoch ends.
enum class Keeping : uint8_t {
  packed,    ///< In bit fields of the words %tstep_k0, %tstep_k1, …: it runs at most once per
             ///< epoch.
  repeated,  ///< It runs often with the same counts: the number of visits, and the gain of one
             ///< visit.
  loose,     ///< In one register per column.
  lapped,    ///< Not stored: its loop is counted by laps (ptx/analysis/laps.h).
};

/// A bit field of a word.
struct CountField {
  uint32_t word = 0, shift = 0, bits = 32;
  auto operator<=>(const CountField&) const = default;
};

/// A part of a column's count: a field, or field × times; multiplied by factor.
struct CountPart {
  CountField field;
  bool hasTimes = false;
  CountField times;
  uint64_t factor = 1;
  auto operator<=>(const CountPart&) const = default;
};

/// How to extract columns from the words that are passed to the functions that write counts out.
struct CountDecoding {
  uint32_t words = 0;
  std::map<uint32_t, std::vector<CountPart>> columns;
  auto operator<=>(const CountDecoding&) const = default;
};

/// The registers that hold all counts since the last barrier, at the end of an epoch.
struct EpochWords {
  std::vector<std::string> registers;
  CountDecoding decoding;
  uint32_t packed = 0;          ///< The first `packed` words are packed ones.
  std::vector<uint32_t> times;  ///< Words that count visits of repeated segments.
  std::vector<uint32_t> loose;  ///< Words that hold loose columns.
  std::vector<uint32_t> repeatedSegments;
};

/// Decides where every segment of an entry stores its counts.
class CountPlan {
 public:
  using Most = std::map<uint32_t, uint64_t>;
  /// The properties of a segment.
  struct Facts {
    Most most;              ///< The columns it counts, with the most that one lane adds per visit.
    Most each;              ///< What every lane adds, by column.
    bool isSteady = false;  ///< Its counts are the same whenever the same lanes run it.
    bool isLapped = false;  ///< Its loop is counted by laps.
    bool isBeforeLaps = false;  ///< The counts so far are written out after it.
  };
  /// `first`: the column with the lowest bits of the first word; every segment counts it.
  /// `mayPassBarriers`: lanes may pass a barrier without executing it, so an epoch may contain any
  /// segments.
  CountPlan(const std::vector<Segment>& segments, std::vector<Facts> facts, uint32_t first,
            bool mayPassBarriers);

  [[nodiscard]] Keeping keeping(uint32_t segment) const { return keeping_[segment]; }
  /// Where a packed or loose segment adds a column.
  [[nodiscard]] Slot slot(uint32_t segment, uint32_t column) const;
  /// The fields of one visit; for packed segments, fields of the packed words.
  [[nodiscard]] const CountField& field(uint32_t segment, uint32_t column) const;
  /// The words of a segment's gain: its own, or those of the packed words that it adds to.
  [[nodiscard]] std::set<uint32_t> gainWords(uint32_t segment) const;
  [[nodiscard]] EpochWords wordsAt(uint32_t end) const;
  /// The counts of one visit of a repeated segment; `registers[0]` holds the number of visits.
  [[nodiscard]] EpochWords wordsOf(uint32_t segment) const;

  [[nodiscard]] uint32_t packedWords() const { return packedWords_; }
  [[nodiscard]] const std::set<uint32_t>& looseColumns() const { return looseColumns_; }

  static std::string packedRegister(uint32_t word) { return "%tstep_k" + std::to_string(word); }
  static std::string looseRegister(uint32_t column) { return "%tstep_a" + std::to_string(column); }
  static std::string timesRegister(uint32_t segment) {
    return "%tstep_n" + std::to_string(segment);
  }
  static std::string gainRegister(uint32_t segment, uint32_t word) {
    return "%tstep_g" + std::to_string(segment) + "_" + std::to_string(word);
  }
  /// Bit 0 of a repeated segment's first word: its gain is known.
  static constexpr uint32_t kKnown = 1;

 private:
  struct Layout {
    uint32_t words = 0;
    std::map<uint32_t, CountField> fields;
  };
  static Layout layoutOf(const Most& most, uint32_t first, uint32_t reserved);
  void findKeeping(const std::vector<Segment>& segments, bool mayPassBarriers);
  void findGroups(const std::vector<Segment>& segments, bool mayPassBarriers);
  [[nodiscard]] bool isEnd(const std::vector<Segment>& segments, uint32_t segment) const;
  void layOutGroups(uint32_t first);
  void addRepeated(EpochWords& out, uint32_t segment) const;
  [[nodiscard]] uint32_t groupOf(uint32_t segment) const;

  std::vector<Facts> facts_;
  std::vector<Keeping> keeping_;
  std::vector<uint32_t> group_;        ///< By segment: another one of its group, or itself.
  std::map<uint32_t, Layout> groups_;  ///< By the group's representative segment.
  std::map<uint32_t, Layout> gains_;   ///< For repeated segments.
  /// By end: the segments since the last barrier.
  std::map<uint32_t, std::vector<uint32_t>> before_;
  std::set<uint32_t> looseColumns_;
  uint32_t packedWords_ = 0;
};

}  // namespace tilestep::ptx
