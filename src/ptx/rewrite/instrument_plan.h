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

/// How a segment's counts are kept until the epoch ends.
enum class Keeping : uint8_t {
  packed,    ///< In fields of the words %tstep_k0, %tstep_k1, …: it runs once an epoch at most.
  repeated,  ///< It runs often and always counts the same: a number of times, and the gain of one.
  loose,     ///< In one register a column.
  lapped,    ///< Not at all: its loop has laps (ptx/analysis/laps.h).
};

/// Bits of a word.
struct CountField {
  uint32_t word = 0, shift = 0, bits = 32;
  auto operator<=>(const CountField&) const = default;
};

/// A part of a column's count: a field, or field * times, * factor.
struct CountPart {
  CountField field;
  bool hasTimes = false;
  CountField times;
  uint64_t factor = 1;
  auto operator<=>(const CountPart&) const = default;
};

/// How columns come out of the words that are handed to the functions that write counts out.
struct CountDecoding {
  uint32_t words = 0;
  std::map<uint32_t, std::vector<CountPart>> columns;
  auto operator<=>(const CountDecoding&) const = default;
};

/// Registers that hold all that was counted since the last barrier, at the end of an epoch.
struct EpochWords {
  std::vector<std::string> registers;
  CountDecoding decoding;
  uint32_t packed = 0;          ///< The first words are packed ones.
  std::vector<uint32_t> times;  ///< Words that count rounds of repeated segments.
  std::vector<uint32_t> loose;  ///< Words that are loose columns.
  std::vector<uint32_t> repeatedSegments;
};

/// Where every segment of an entry keeps its counts.
class CountPlan {
 public:
  using Most = std::map<uint32_t, uint64_t>;
  /// What is known of a segment.
  struct Facts {
    Most most;  ///< The columns it counts, with the most that one lane adds in one visit.
    Most each;  ///< What every lane adds, by column.
    bool isSteady = false;      ///< Counts the same whenever the same lanes run it.
    bool isLapped = false;      ///< Its loop has laps.
    bool isBeforeLaps = false;  ///< The counts so far are written out behind it.
  };
  /// `first`: the column that stands lowest in the first word; every segment counts it.
  /// `mayPassBarriers`: lanes may go on behind a barrier without it, so epochs hold anything.
  CountPlan(const std::vector<Segment>& segments, std::vector<Facts> facts, uint32_t first,
            bool mayPassBarriers);

  [[nodiscard]] Keeping keeping(uint32_t segment) const { return keeping_[segment]; }
  /// Where a packed or loose segment adds a column.
  [[nodiscard]] Slot slot(uint32_t segment, uint32_t column) const;
  /// Fields of one visit: for packed segments those of the packed words.
  [[nodiscard]] const CountField& field(uint32_t segment, uint32_t column) const;
  /// Words of the gain of a segment: its own, or those of the packed words that it adds to.
  [[nodiscard]] std::set<uint32_t> gainWords(uint32_t segment) const;
  [[nodiscard]] EpochWords wordsAt(uint32_t end) const;
  /// What one visit of a repeated segment counts: `registers[0]` says how many visits.
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
  /// Bit 0 of a repeated segment's first word: the gain is known.
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
  std::vector<uint32_t> group_;        ///< By segment: another of its group, or itself.
  std::map<uint32_t, Layout> groups_;  ///< By the group's own segment.
  std::map<uint32_t, Layout> gains_;   ///< Of repeated segments.
  std::map<uint32_t, std::vector<uint32_t>> before_;  ///< By end: segments since the last barrier.
  std::set<uint32_t> looseColumns_;
  uint32_t packedWords_ = 0;
};

}  // namespace tilestep::ptx
