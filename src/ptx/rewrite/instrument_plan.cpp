// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_plan.h"

#include <algorithm>
#include <numeric>

namespace tilestep::ptx {
namespace {

uint32_t bitsOf(uint64_t value) {
  uint32_t bits = 1;
  while (bits < 32 && value >> bits != 0) ++bits;
  return bits;
}

}  // namespace

CountPlan::CountPlan(const std::vector<Segment>& segments, std::vector<Facts> facts, uint32_t first,
                     bool mayPassBarriers)
    : facts_(std::move(facts)),
      keeping_(segments.size(), Keeping::packed),
      group_(segments.size()) {
  std::iota(group_.begin(), group_.end(), 0U);
  findKeeping(segments, mayPassBarriers);
  findGroups(segments, mayPassBarriers);
  layOutGroups(first);
}

void CountPlan::findKeeping(const std::vector<Segment>& segments, bool mayPassBarriers) {
  for (uint32_t s = 0; s < segments.size(); ++s) {
    if (facts_[s].isLapped) {
      keeping_[s] = Keeping::lapped;
      continue;
    }
    if (!mayPassBarriers && visitsBefore(segments, s)[s] != Visits::often) continue;
    const bool isSteady = facts_[s].isSteady && !mayPassBarriers;
    keeping_[s] = isSteady ? Keeping::repeated : Keeping::loose;
    if (isSteady) {
      Most gain = facts_[s].most;
      for (const auto& [column, n] : facts_[s].each) gain.erase(column);
      gains_[s] = layoutOf(gain, kNone, gain.empty() ? 0 : kKnown);
    } else {
      for (const auto& [column, n] : facts_[s].most) looseColumns_.insert(column);
    }
  }
}

bool CountPlan::isEnd(const std::vector<Segment>& segments, uint32_t segment) const {
  if (facts_[segment].isLapped) return false;
  return segments[segment].how != Segment::End::flow || facts_[segment].isBeforeLaps;
}

// Segments that can run in one barrier's epoch share the words, so they share a layout.
void CountPlan::findGroups(const std::vector<Segment>& segments, bool mayPassBarriers) {
  for (uint32_t end = 0; end < segments.size(); ++end) {
    if (!isEnd(segments, end)) continue;
    const std::vector<Visits> visits = visitsBefore(segments, end);
    std::vector<uint32_t>& before = before_[end];
    for (uint32_t s = 0; s < segments.size(); ++s) {
      if (facts_[s].isLapped) continue;
      if (visits[s] == Visits::never && !mayPassBarriers) continue;
      before.push_back(s);
      group_[groupOf(s)] = groupOf(end);
    }
  }
}

void CountPlan::layOutGroups(uint32_t first) {
  std::map<uint32_t, Most> greatest;
  const auto raise = [&](uint32_t segment, const Most& most) {
    Most& group = greatest[groupOf(segment)];
    for (const auto& [column, n] : most) group[column] = std::max(group[column], n);
  };
  for (const auto& [end, before] : before_) {
    Most total;
    for (const uint32_t s : before) {
      if (keeping_[s] != Keeping::packed) continue;
      for (const auto& [column, n] : facts_[s].most) total[column] += n;
    }
    raise(end, total);
  }
  // Code without a following end (an endless loop) still needs a place to add.
  for (uint32_t s = 0; s < facts_.size(); ++s) {
    raise(s, keeping_[s] == Keeping::packed ? facts_[s].most : Most());
  }
  // A column has the same width in every group, so that unrolled copies of a loop's body, which are
  // separate groups, mostly get the same fields.
  Most widest;
  for (const auto& [group, most] : greatest) {
    for (const auto& [column, n] : most) widest[column] = std::max(widest[column], n);
  }
  for (auto& [group, most] : greatest) {
    for (auto& [column, n] : most) n = widest[column];
    groups_[group] = layoutOf(most, first, 0);
    packedWords_ = std::max(packedWords_, groups_[group].words);
  }
}

CountPlan::Layout CountPlan::layoutOf(const Most& most, uint32_t first, uint32_t reserved) {
  Layout layout;
  layout.words = reserved > 0 ? 1 : 0;
  uint32_t used = reserved > 0 ? reserved : 32;
  const auto place = [&](uint32_t column, uint64_t n) {
    const uint32_t bits = bitsOf(n);
    if (used + bits > 32) {
      ++layout.words;
      used = 0;
    }
    layout.fields[column] = {layout.words - 1, used, bits};
    used += bits;
  };
  if (const auto found = most.find(first); found != most.end()) place(first, found->second);
  for (const auto& [column, n] : most) {
    if (column != first) place(column, n);
  }
  return layout;
}

uint32_t CountPlan::groupOf(uint32_t segment) const {
  while (group_[segment] != segment) segment = group_[segment];
  return segment;
}

Slot CountPlan::slot(uint32_t segment, uint32_t column) const {
  if (keeping_[segment] == Keeping::loose) return {looseRegister(column), 1};
  const CountField& f = field(segment, column);
  return {packedRegister(f.word), uint32_t{1} << f.shift};
}

const CountField& CountPlan::field(uint32_t segment, uint32_t column) const {
  const bool isPacked = keeping_[segment] == Keeping::packed;
  const Layout& layout = isPacked ? groups_.at(groupOf(segment)) : gains_.at(segment);
  return layout.fields.at(column);
}

std::set<uint32_t> CountPlan::gainWords(uint32_t segment) const {
  std::set<uint32_t> words;
  if (keeping_[segment] != Keeping::packed) {
    for (uint32_t word = 0; word < gains_.at(segment).words; ++word) words.insert(word);
    return words;
  }
  for (const auto& [column, n] : facts_[segment].most) words.insert(field(segment, column).word);
  return words;
}

void CountPlan::addRepeated(EpochWords& out, uint32_t segment) const {
  const auto times = static_cast<uint32_t>(out.registers.size());
  out.times.push_back(times);
  out.repeatedSegments.push_back(segment);
  out.registers.push_back(timesRegister(segment));
  const Layout& layout = gains_.at(segment);
  const Most& each = facts_[segment].each;
  for (uint32_t word = 0; word < layout.words; ++word) {
    out.registers.push_back(gainRegister(segment, word));
  }
  for (const auto& [column, n] : facts_[segment].most) {
    CountPart part{{times, 0, 32}, false, {}, 1};
    if (each.contains(column)) {
      part.factor = each.at(column);
    } else {
      part.hasTimes = true;
      part.times = layout.fields.at(column);
      part.times.word += times + 1;
    }
    out.decoding.columns[column].push_back(part);
  }
}

EpochWords CountPlan::wordsAt(uint32_t end) const {
  EpochWords out;
  std::set<uint32_t> packed, loose;
  for (const uint32_t s : before_.at(end)) {
    for (const auto& [column, n] : facts_[s].most) {
      if (keeping_[s] == Keeping::packed) packed.insert(column);
      if (keeping_[s] == Keeping::loose) loose.insert(column);
    }
  }
  const Layout& layout = groups_.at(groupOf(end));
  out.packed = layout.words;
  for (uint32_t word = 0; word < layout.words; ++word) {
    out.registers.push_back(packedRegister(word));
  }
  for (const uint32_t column : packed) {
    out.decoding.columns[column].push_back({layout.fields.at(column), false, {}, 1});
  }
  for (const uint32_t s : before_.at(end)) {
    if (keeping_[s] == Keeping::repeated) addRepeated(out, s);
  }
  for (const uint32_t column : loose) {
    const auto word = static_cast<uint32_t>(out.registers.size());
    out.loose.push_back(word);
    out.registers.push_back(looseRegister(column));
    out.decoding.columns[column].push_back({{word, 0, 32}, false, {}, 1});
  }
  out.decoding.words = static_cast<uint32_t>(out.registers.size());
  return out;
}

EpochWords CountPlan::wordsOf(uint32_t segment) const {
  EpochWords out;
  addRepeated(out, segment);
  out.decoding.words = static_cast<uint32_t>(out.registers.size());
  return out;
}

}  // namespace tilestep::ptx
