// SPDX-License-Identifier: Apache-2.0
#include "simt/check/hazards.h"

#include <algorithm>
#include <tuple>

#include "simt/fault.h"
#include "simt/fault_text.h"
#include "simt/run/special_rows.h"

namespace tilestep::simt {
namespace {

using Entry = HazardTable::Entry;

uint64_t keyOf(const Entry& entry) {
  const uint64_t kind = static_cast<uint64_t>(entry.kind) * 2 + (entry.region >= 0);
  return (kind << 40) | (uint64_t{entry.first.site} << 20) | entry.second.site;
}

bool inOneWarp(const Entry& entry) {
  return entry.first.block == entry.second.block &&
         entry.first.thread / kLanes == entry.second.thread / kLanes;
}

/// A sort key: the first hazard is the best example, with threads of two warps if possible, in the
/// lowest block.
auto placeOf(const Entry& entry) {
  return std::tuple(inOneWarp(entry), entry.second.block, entry.epoch, entry.second.thread,
                    entry.first.block, entry.first.thread, entry.offset);
}

void combine(Entry& to, const Entry& entry) {
  const uint64_t count = to.count + entry.count;
  if (placeOf(entry) < placeOf(to)) to = entry;
  to.count = count;
}

HazardSite siteOf(const Setup& setup, const HazardAccess& access) {
  const uint32_t source = setup.program.sites[access.site].source;
  return {setup.program.lineOf(source), threadAt(setup.request->launch.block, access.thread),
          threadAt(setup.request->launch.grid, static_cast<uint32_t>(access.block))};
}

const char* textOf(HazardKind kind) {
  switch (kind) {
    case HazardKind::readAfterWrite:
      return "read-after-write";
    case HazardKind::writeAfterRead:
      return "write-after-read";
    case HazardKind::writeAfterWrite:
      return "write-after-write";
  }
  return "";
}

std::string lineText(uint32_t line) {
  return line == 0 ? "code without a line" : "line " + std::to_string(line);
}

/// "line 21 reads what line 14 writes"
std::string whatHappens(HazardKind kind, const Hazard& hazard) {
  const std::string first = lineText(hazard.first.line);
  const std::string second = lineText(hazard.second.line);
  const bool reads = kind == HazardKind::readAfterWrite;
  const bool read = kind == HazardKind::writeAfterRead;
  return second + (reads ? " reads" : " writes") + " what " + first + (read ? " reads" : " writes");
}

/// Both accesses are atomic, in different blocks, but the scope of one access is the block.
bool hasNarrowScope(const Setup& setup, const Entry& entry) {
  const auto& sites = setup.program.sites;
  const CheckSite &first = sites[entry.first.site], &second = sites[entry.second.site];
  const auto isAtomic = [](const CheckSite& site) { return site.ordered || site.isVolatile; };
  return entry.first.block != entry.second.block && isAtomic(first) && isAtomic(second) &&
         (first.ofBlock || second.ofBlock);
}

/// The missing synchronisation, by the distance between the two threads.
std::string whatIsMissing(const Entry& entry) {
  if (entry.first.block != entry.second.block) {
    return "the threads are in different blocks, which no barrier orders; use an atomic operation "
           "such as atomicAdd, or a lock with a __threadfence() after it is taken and before it is "
           "released";
  }
  if (inOneWarp(entry)) {
    return "lanes of one warp are not ordered either: a __syncwarp() or __syncthreads() is missing";
  }
  return "a __syncthreads() is missing";
}

/// A plain store, such as an unlock, to a word that other threads acquire with compare-and-swap.
bool isUnlock(const Setup& setup, const Entry& entry) {
  const CheckSite& first = setup.program.sites[entry.first.site];
  const CheckSite& second = setup.program.sites[entry.second.site];
  const auto isStore = [](const CheckSite& site) { return site.writes && !site.atomic; };
  return (first.compares && isStore(second)) || (second.compares && isStore(first));
}

/// If a line races with itself, either a barrier is missing, because its iterations use each
/// other's results, or an atomic operation, because several threads update the same word. The pair
/// of accesses does not show which.
std::string ofOneLine(const Entry& entry, const Hazard& hazard) {
  const bool isOneLine = hazard.first.line != 0 && hazard.first.line == hazard.second.line;
  if (!isOneLine || entry.first.block != entry.second.block) return {};
  return ", or, if several threads update one element, an atomic operation such as atomicAdd";
}

/// A load that may miss the write even if it is ordered after it.
bool mayMiss(const Setup& setup, const Entry& entry) {
  return entry.kind == HazardKind::readAfterWrite &&
         setup.program.sites[entry.second.site].nonCoherent;
}

std::string messageOf(const Setup& setup, const Entry& entry, const Hazard& hazard) {
  const std::string what = whatHappens(entry.kind, hazard), place = " (" + hazard.place + "): ";
  if (hasNarrowScope(setup, entry)) {
    return what + place +
           "the scope of one of these atomic operations is the block, but the threads are in "
           "different blocks; use one whose scope is the device, such as atomicAdd.";
  }
  if (mayMiss(setup, entry)) {
    return what + place +
           "a load through the read-only cache (__ldg, ld.global.nc) may miss every write of its "
           "own launch; use a plain load.";
  }
  if (isUnlock(setup, entry)) {
    return what + place +
           "the lock is released with a plain store; call __threadfence(), then release it with "
           "atomicExch.";
  }
  return what + "; no barrier between them" + place + whatIsMissing(entry) +
         ofOneLine(entry, hazard) + ".";
}

Hazard describe(const Setup& setup, const Entry& entry) {
  Hazard hazard;
  hazard.kind = textOf(entry.kind);
  hazard.space = entry.region >= 0 ? "global" : "shared";
  hazard.first = siteOf(setup, entry.first);
  hazard.second = siteOf(setup, entry.second);
  hazard.epoch = entry.epoch;
  hazard.count = entry.count;
  hazard.place = describePlace(setup, entry.region, entry.offset, entry.elementBytes);
  hazard.message = messageOf(setup, entry, hazard);
  return hazard;
}

auto orderOf(const Hazard& hazard) {
  return std::tie(hazard.first.line, hazard.second.line, hazard.kind, hazard.space);
}

}  // namespace

void HazardTable::add(const Entry& entry) {
  const uint64_t key = keyOf(entry);
  if (key == lastKey_) return combine(*last_, entry);
  const auto [at, isNew] = entries_.try_emplace(key, entry);
  if (!isNew) combine(at->second, entry);
  lastKey_ = key;
  last_ = &at->second;
}

void HazardTable::merge(const HazardTable& other) {
  for (const auto& [key, entry] : other.entries_) add(entry);
  equalWrites_.insert(other.equalWrites_.begin(), other.equalWrites_.end());
}

std::vector<uint32_t> HazardTable::equalWriteLines(const Setup& setup) const {
  std::set<uint32_t> lines;
  for (const uint32_t site : equalWrites_)
    lines.insert(setup.program.lineOf(setup.program.sites[site].source));
  return {lines.begin(), lines.end()};
}

std::vector<Hazard> HazardTable::list(const Setup& setup) const {
  std::vector<Entry> entries;
  for (const auto& [key, entry] : entries_) entries.push_back(entry);
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(placeOf(a), keyOf(a)) < std::tuple(placeOf(b), keyOf(b));
  });
  std::vector<Hazard> hazards;
  for (const Entry& entry : entries) addHazards(hazards, {describe(setup, entry)});
  return hazards;
}

void addHazards(std::vector<Hazard>& to, const std::vector<Hazard>& from) {
  for (const Hazard& hazard : from) {
    const auto same = std::find_if(to.begin(), to.end(), [&](const Hazard& other) {
      return orderOf(other) == orderOf(hazard);
    });
    if (same == to.end())
      to.push_back(hazard);
    else
      same->count += hazard.count;
  }
  std::stable_sort(to.begin(), to.end(),
                   [](const Hazard& a, const Hazard& b) { return orderOf(a) < orderOf(b); });
}

}  // namespace tilestep::simt
