// SPDX-License-Identifier: Apache-2.0
#include "features/barriers/barriers.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>
#include <unordered_map>

#include "model/text/step_text.h"

namespace tilestep::features {
namespace {

using trace::Access;
using trace::Operation;
using trace::Space;

std::string plainNumber(uint64_t number) {
  return std::to_string(number);
}

std::string threadName(const TracedKernel& side, uint32_t thread) {
  const Dim3 at = trace::threadOf(thread, side.replay->recording().blockShape);
  return "(" + std::to_string(at.x) + ", " + std::to_string(at.y) + ")";
}

/// "80", "80 and 85", "80, 85 and 90".
std::string listed(const std::set<uint32_t>& lines) {
  std::string text;
  size_t left = lines.size();
  for (const uint32_t line : lines) {
    text += plainNumber(line);
    --left;
    text += left > 1 ? ", " : left == 1 ? " and " : "";
  }
  return text;
}

std::string linesText(const std::set<uint32_t>& lines) {
  return (lines.size() == 1 ? "line " : "lines ") + listed(lines);
}

/// One thread's access to a slot.
struct Touch {
  uint32_t thread = 0, line = 0;
  bool isAtomic = false;  ///< Reads and writes the slot. Two atomic accesses never race.
  bool operator==(const Touch&) const = default;
};

/// Walks the shared accesses of a recording in order. Calls `meet` for each pair of accesses to one
/// slot by different threads in the same epoch or in consecutive epochs if at least one of the two
/// is a write. Keeps each slot's last write and the reads since then.
class PhaseWalk {
 public:
  struct Slot {
    std::optional<Touch> write;
    uint32_t writeEpoch = 0;
    std::vector<Touch> reads;
    uint32_t readEpoch = 0;
  };

  explicit PhaseWalk(const TracedKernel& side) : side_(side) {}

  /// Calls meet(place, isWriteFirst, first, firstEpoch, second, secondEpoch).
  template <class Meet>
  void run(Meet meet) {
    const trace::BlockTrace& recording = side_.replay->recording();
    slots_.reserve(side_.end.shared.size());
    std::vector<Access> accesses;
    for (uint32_t i = 0; i < recording.size(); ++i) {
      const trace::TraceEvent event = recording.event(i);
      const bool isAtomic = event.operation == Operation::atomic;
      const bool writes =
          event.operation == Operation::store || event.operation == Operation::arrive || isAtomic;
      const bool reads = event.operation == Operation::load || isAtomic;
      if (event.space != Space::shared || (!writes && !reads)) continue;
      const uint32_t line = side_.lineOf(event);
      side_.replay->readAccesses(i, accesses);
      for (const Access& access : accesses) {
        const Touch touch{access.thread, line, isAtomic};
        if (reads) read({access.buffer, access.offset}, touch, event.epoch, meet);
        if (writes) write({access.buffer, access.offset}, touch, event.epoch, meet);
      }
    }
  }

 private:
  /// Whether the order of the accesses matters: two threads, and at least one access is not atomic.
  static bool orderMatters(const Touch& first, const Touch& second) {
    return first.thread != second.thread && !(first.isAtomic && second.isAtomic);
  }

  Slot& slotAt(const trace::Place& place) {
    return slots_[uint64_t{static_cast<uint16_t>(place.buffer)} << 32 | place.offset];
  }

  template <class Meet>
  void read(const trace::Place& place, const Touch& touch, uint32_t epoch, Meet& meet) {
    Slot& slot = slotAt(place);
    if (slot.write && orderMatters(*slot.write, touch) && slot.writeEpoch + 1 >= epoch)
      meet(place, true, *slot.write, slot.writeEpoch, touch, epoch);
    if (slot.readEpoch != epoch) slot.reads.clear();
    slot.readEpoch = epoch;
    if (slot.reads.empty() || slot.reads.back() != touch) slot.reads.push_back(touch);
  }

  template <class Meet>
  void write(const trace::Place& place, const Touch& touch, uint32_t epoch, Meet& meet) {
    Slot& slot = slotAt(place);
    if (slot.readEpoch + 1 >= epoch)
      for (const Touch& read : slot.reads)
        if (orderMatters(read, touch)) meet(place, false, read, slot.readEpoch, touch, epoch);
    if (slot.readEpoch != epoch) slot.reads.clear();
    slot.write = touch;
    slot.writeEpoch = epoch;
  }

  const TracedKernel& side_;
  std::unordered_map<uint64_t, Slot> slots_;
};

/// The line of the barrier that ends each epoch, by epoch.
std::map<uint32_t, uint32_t> barrierLines(const trace::BlockTrace& recording) {
  std::map<uint32_t, uint32_t> lines;
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    if (event.operation == Operation::barrier) lines.try_emplace(event.epoch, event.line);
  }
  return lines;
}

std::string exampleOf(const TracedKernel& side, const trace::Place& place, bool writeFirst,
                      const Touch& first, const Touch& second) {
  const std::string slot = slotName(side, place.buffer, place.offset, 4);
  return "thread " + threadName(side, second.thread) + (writeFirst ? " reads " : " overwrites ") +
         slot + ", which thread " + threadName(side, first.thread) +
         (writeFirst ? " wrote" : " read");
}

/// The possible reasons why a race had no effect.
std::string luckText(const TracedKernel& side) {
  constexpr uint64_t kWarp = 32;
  const uint64_t threads = side.replay->recording().blockShape.count();
  if (isWithoutWarpBarrier(side))
    return "the lanes of a warp ran these lines together here. CUDA does not promise that: since "
           "compute capability 7.0, threads of a warp may run independently.";
  return threads <= kWarp
             ? "the block is a single warp, whose threads ran these lines together here. CUDA does "
               "not promise that: since compute capability 7.0, threads of a warp may run "
               "independently."
             : "the warps happened to run in an order that does no harm. Another order may.";
}

std::string verdictOf(const RaceView& view, const TracedKernel& side) {
  const lab::RunResult& result = *side.result;
  std::map<std::string, std::pair<std::set<uint32_t>, std::set<uint32_t>>> kinds;
  for (const device::Hazard& hazard : *result.hazards) {
    kinds[hazard.kind].first.insert(hazard.first.line);
    kinds[hazard.kind].second.insert(hazard.second.line);
  }
  std::string races;
  for (const auto& [kind, lines] : kinds) {
    const auto& [first, second] = lines;
    if (!races.empty()) races += "; ";
    const bool plural = second.size() > 1;
    if (kind == "read-after-write")
      races += linesText(second) + (plural ? " read" : " reads") + " what " + linesText(first) +
               " may not have written yet";
    else if (kind == "write-after-read")
      races += linesText(second) + (plural ? " overwrite" : " overwrites") + " what " +
               linesText(first) + " may still have to read";
    else
      races += linesText(first) + " and " + linesText(second) + " write one slot";
    races += " (" + kind + ")";
  }
  const std::string without = "without the barrier of line " + plainNumber(view.line);
  if (view.right && races.empty())
    return "W" + without.substr(1) +
           " no accesses race in this run, and the result stays right: the barrier separates "
           "nothing here.";
  if (view.right)
    return "A race, though the result came out right this time: " + without + ", " + races +
           ". It may have come out right because " + luckText(side);
  const std::string wrong = view.wrong > 0 ? plainNumber(view.wrong) + " of this block's " +
                                                 plainNumber(view.made) + " elements come out wrong"
                                           : std::string("the result is wrong") +
                                                 (view.made > 0 ? " in another block" : "");
  return "W" + without.substr(1) + ", " + wrong + (races.empty() ? "." : ": " + races + ".");
}

}  // namespace

bool isWithoutWarpBarrier(const TracedKernel& side) {
  if (side.removedLine == 0) return false;
  std::istringstream text(side.sourceText);
  std::string line;
  for (uint32_t i = 0; i < side.removedLine; ++i) std::getline(text, line);
  return line.find("__syncwarp") != std::string::npos;
}

std::vector<BarrierRole> barrierRoles(const TracedKernel& side) {
  const std::map<uint32_t, uint32_t> lineOf = barrierLines(side.replay->recording());
  if (lineOf.empty()) return {};
  using Key = std::tuple<uint32_t, bool, int16_t, uint32_t, uint32_t>;
  std::map<Key, Guard> guards;
  std::pair<const Key, Guard>* latest = nullptr;  // Consecutive pairs often have the same key.
  PhaseWalk(side).run([&](const trace::Place& place, bool writeFirst, const Touch& first,
                          uint32_t firstEpoch, const Touch& second, uint32_t secondEpoch) {
    const auto barrier = lineOf.find(firstEpoch);
    if (firstEpoch == secondEpoch || barrier == lineOf.end()) return;
    const Key key{barrier->second, writeFirst, place.buffer, first.line, second.line};
    if (latest == nullptr || latest->first != key) latest = &*guards.try_emplace(key).first;
    Guard& guard = latest->second;
    if (guard.pairs++ == 0) {
      guard.readAfterWrite = writeFirst;
      guard.before = first.line;
      guard.behind = second.line;
      if (place.buffer >= 0)
        guard.array = side.replay->recording().sharedArrays[static_cast<size_t>(place.buffer)].name;
      guard.example = exampleOf(side, place, writeFirst, first, second);
    }
    guard.acrossWarps += first.thread / 32 != second.thread / 32 ? 1 : 0;
  });
  std::map<uint32_t, BarrierRole> roles;
  for (const auto& [epoch, line] : lineOf) roles[line].line = line;
  for (auto& [key, guard] : guards) roles[std::get<0>(key)].guards.push_back(std::move(guard));
  std::vector<BarrierRole> list;
  for (auto& [line, role] : roles) list.push_back(std::move(role));
  return list;
}

std::string guardText(const BarrierRole& role) {
  std::string text;
  for (const bool readAfterWrite : {true, false}) {
    std::set<uint32_t> before, behind;
    for (const Guard& guard : role.guards) {
      if (guard.readAfterWrite != readAfterWrite) continue;
      before.insert(guard.before);
      behind.insert(guard.behind);
    }
    if (before.empty()) continue;
    if (!text.empty()) text += "; ";
    const std::string s = behind.size() == 1 ? "s what " : " what ";
    text +=
        readAfterWrite
            ? "read-after-write: " + listed(behind) + " read" + s + listed(before) + " wrote"
            : "write-after-read: " + listed(behind) + " overwrite" + s + listed(before) + " read";
  }
  return text;
}

Races racesOf(const TracedKernel& side) {
  Races races;
  std::map<uint32_t, std::set<std::tuple<Races::Lines, int16_t, uint32_t>>> seen;
  PhaseWalk(side).run([&](const trace::Place& place, bool writeFirst, const Touch& first,
                          uint32_t firstEpoch, const Touch& second, uint32_t secondEpoch) {
    if (firstEpoch != secondEpoch) return;
    const Races::Lines lines =
        writeFirst ? Races::Lines{first.line, second.line} : Races::Lines{second.line, first.line};
    if (seen[firstEpoch].insert({lines, place.buffer, place.offset}).second)
      races.byEpoch[firstEpoch][lines].push_back(place);
  });
  return races;
}

namespace {

void compare(RaceView& view, const TracedKernel& without, const TracedKernel& good) {
  view.line = without.removedLine;
  const bool whole =
      !without.replay->recording().truncated() && !good.replay->recording().truncated();
  for (const trace::OutputElement& element : good.end.outputs) {
    // No event contains the value that an atomic operation leaves.
    if (!whole || !element.known) continue;
    ++view.made;
    const auto same =
        std::ranges::find(without.end.outputs, element.place, &trace::OutputElement::place);
    const bool equal = same != without.end.outputs.end() && same->written == element.written &&
                       same->bits == element.bits;
    if (!equal) view.wrongElements.push_back(element.place);
  }
  view.wrong = view.wrongElements.size();
  const bool checked = !without.result->check || without.result->check->ok;
  // Without a reference, compare the bytes of the outputs of all blocks.
  const bool same =
      without.result->check ? checked : without.result->outputHash == good.result->outputHash;
  view.right = view.wrong == 0 && checked && same;
  view.verdict = verdictOf(view, without);
}

std::string raceText(uint32_t line, const std::vector<device::Hazard>& hazards) {
  std::map<std::string, std::set<uint32_t>> others;
  for (const device::Hazard& hazard : hazards) {
    if (hazard.first.line == line) others[hazard.kind].insert(hazard.second.line);
    if (hazard.second.line == line) others[hazard.kind].insert(hazard.first.line);
  }
  std::string text;
  for (const auto& [kind, lines] : others)
    text += (text.empty() ? "races with " : "; ") + linesText(lines) + " (" + kind + ")";
  return text;
}

}  // namespace

std::shared_ptr<const RaceView> raceViewOf(const TracedKernel& side, const TracedKernel* good) {
  if (!side.result->hazards) return nullptr;
  const std::vector<device::Hazard>& hazards = *side.result->hazards;
  const bool compared = side.removedLine > 0 && good != nullptr;
  if (hazards.empty() && !compared) return nullptr;
  auto view = std::make_shared<RaceView>();
  std::set<uint32_t> lines;
  std::set<Races::Lines> known;
  for (const device::Hazard& hazard : hazards) {
    lines.insert({hazard.first.line, hazard.second.line});
    known.insert({hazard.first.line, hazard.second.line});
    known.insert({hazard.second.line, hazard.first.line});
  }
  view->lines = {lines.begin(), lines.end()};
  // Keep only the races that the interpreter's checkers report as hazards.
  Races races = racesOf(side);
  for (auto& [epoch, byLines] : races.byEpoch)
    for (auto& [pair, places] : byLines)
      if (known.contains(pair)) view->races.byEpoch[epoch][pair] = std::move(places);
  if (compared) compare(*view, side, *good);
  return view;
}

namespace {

/// The note beside a barrier's line. `role` is null if the trace does not contain the barrier.
std::string noteText(const BarrierRole* role, bool removed, bool ofWarp) {
  if (ofWarp) return removed ? "it was for the lanes of a warp" : "for the lanes of a warp";
  std::string guards = role == nullptr ? "" : guardText(*role);
  if (role != nullptr && guards.empty()) guards = "separates no accesses in this block";
  return removed ? "it was for " + (guards.empty() ? "other warps" : guards) : guards;
}

}  // namespace

std::vector<LineNote> lineNotes(const TracedKernel& side, const std::vector<BarrierRole>& roles) {
  std::vector<LineNote> notes;
  // Commenting a call out keeps line numbers, so calls have the same lines in both sources.
  std::vector<std::pair<uint32_t, bool>> lines;  // A call's line, and whether it is a warp barrier.
  for (const BarrierCall& call : barrierCalls(side.sourceText))
    lines.emplace_back(call.line, call.ofWarp);
  if (side.removedLine > 0) lines.emplace_back(side.removedLine, isWithoutWarpBarrier(side));
  std::ranges::sort(lines);
  uint32_t number = 0;
  for (const auto& [line, ofWarp] : lines) {
    const auto role = std::ranges::find(roles, line, &BarrierRole::line);
    const bool removed = line == side.removedLine;
    notes.push_back({removed ? LineNote::Kind::removed : LineNote::Kind::barrier, line,
                     noteText(role == roles.end() ? nullptr : &*role, removed, ofWarp), ++number});
  }
  if (!side.result->hazards) return notes;
  std::set<uint32_t> racing;
  for (const device::Hazard& hazard : *side.result->hazards)
    racing.insert({hazard.first.line, hazard.second.line});
  for (const uint32_t line : racing)
    notes.push_back({LineNote::Kind::race, line, raceText(line, *side.result->hazards), 0});
  std::ranges::stable_sort(notes, {}, &LineNote::line);
  return notes;
}

}  // namespace tilestep::features
