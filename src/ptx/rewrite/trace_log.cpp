// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/trace_log.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ptx/analysis/accumulators.h"
#include "ptx/analysis/branches.h"
#include "ptx/analysis/counted.h"
#include "ptx/analysis/uses.h"
#include "ptx/rewrite/instrument_parts.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

/// Per access.
constexpr uint32_t kMostValueWords = 8;
/// Per record. A record that does not fit at the end of the log is lost, so records are small.
constexpr uint32_t kMostRecordWords = 512;

/// Parameters, constants and local memory are not traced.
bool isPrivate(Space space) {
  return space == Space::param || space == Space::constant || space == Space::local;
}

class SiteFinder {
 public:
  SiteFinder(const Function& entry) : entry_(entry), accumulators_(findAccumulators(entry)) {}

  /// The instruction's site. Fails if the instruction cannot be logged; the error gives the reason.
  Result<LogSite> siteOf(uint32_t index, LogContent content) const {
    const Instruction& i = entry_.body[index];
    if (content == LogContent::addresses) return countedSite(i);
    if (isBlockBarrier(i)) return barrier(i);
    if (isBranch(i) || isExit(i)) return decision(i);
    if (const auto access = accessOf(i)) return accessSite(i, *access);
    const Effect effect = effectOf(i);
    if (effect == Effect::atomic) return atomic(i);
    if (addressOf(i) != nullptr && effect != Effect::hint && !isPrivate(i.space)) {
      return workError("it uses " + std::string(toText(i.opcode)));
    }
    return accumulate(index);
  }

 private:
  static Result<LogSite> countedSite(const Instruction& i) {
    if (const auto access = accessOf(i)) {
      LogSite site;
      site.kind = access->isStore ? LogSite::Kind::store : LogSite::Kind::load;
      site.space = access->space;
      site.offset = access->address->offset;
      site.elements = access->space == Space::generic ? 1 : 0;
      if (Status s = checkAddress(*access->address, access->space); !s) return s.error();
      return site;
    }
    return isCounted(i) ? decision(i) : LogSite();
  }

  static Result<LogSite> barrier(const Instruction& i) {
    if (!i.has("sync")) return workError("it uses a barrier other than bar.sync");
    LogSite site;
    site.kind = LogSite::Kind::barrier;
    site.elements = 2;
    return site;
  }

  static LogSite decision(const Instruction& i) {
    LogSite site;
    if (i.guard.reg == kNone) return site;
    site.kind = LogSite::Kind::decision;
    site.elements = 1;
    return site;
  }

  [[nodiscard]] unsigned registerBytes(const Operand& operand) const {
    return bytesOf(entry_.registers[operand.reg].type);
  }

  /// Words per element; 0 if the element does not fit into one or two words.
  [[nodiscard]] uint8_t wordsOf(const Operand& value, const Access& access) const {
    if (value.kind == Kind::immediate && access.isStore) return access.width > 4 ? 2 : 1;
    if (value.kind != Kind::reg) return 0;
    if (entry_.registers[value.reg].type == Type::pred) return 0;
    const unsigned bytes = registerBytes(value);
    return bytes == 2 || bytes == 4 ? 1 : bytes == 8 ? 2 : 0;
  }

  [[nodiscard]] Result<LogSite> accessSite(const Instruction& i, const Access& access) const {
    const Operand& value = i.operands[access.isStore ? 1 : 0];
    const auto values = value.kind == Kind::vector ? value.elements : std::vector<Operand>{value};
    LogSite site;
    site.kind = access.isStore ? LogSite::Kind::store : LogSite::Kind::load;
    site.space = access.space;
    site.elements = static_cast<uint8_t>(values.size());
    site.elementBytes = static_cast<uint8_t>(bytesOf(i.type));
    site.offset = access.address->offset;
    for (const Operand& element : values) {
      const uint8_t words = wordsOf(element, access);
      if (words == 0) return workError("one of its values is not in a register of 2, 4 or 8 bytes");
      site.elementWords = std::max(site.elementWords, words);
    }
    if (Status s = checkAddress(*access.address, access.space); !s) return s.error();
    if (site.width() != access.width || site.words() > kMostValueWords) {
      return workError("its vector has an unknown shape");
    }
    return site;
  }

  static Status checkAddress(const Operand& address, Space space) {
    const bool isNamed = address.reg == kNone && !address.name.empty();
    const bool isPlain = address.kind == Kind::address && address.elements.empty();
    if (!isPlain || (isNamed && space == Space::generic)) {
      return workError("its address has an unknown form");
    }
    return {};
  }

  static Result<LogSite> atomic(const Instruction& i) {
    const Operand* address = addressOf(i);
    const Space space = i.space == Space::none ? Space::generic : i.space;
    const bool isKnown =
        space == Space::global || space == Space::shared || space == Space::generic;
    if (!isKnown || address == nullptr || i.vectorWidth > 1) {
      return workError("its atomic has an unknown form");
    }
    if (Status s = checkAddress(*address, space); !s) return s.error();
    LogSite site;
    site.kind = LogSite::Kind::atomic;
    site.space = space;
    site.elementBytes = static_cast<uint8_t>(bytesOf(i.type));
    site.offset = address->offset;
    return site;
  }

  [[nodiscard]] Result<LogSite> accumulate(uint32_t index) const {
    LogSite site;
    if (accumulators_.vectors.contains(index)) return workError("it uses mma");
    if (accumulators_.updatedBy[index] == kNone) return site;
    const Instruction& i = entry_.body[index];
    const Operand& to = i.operands.front();
    if (to.kind != Kind::reg) return workError("its result is not a register");
    const unsigned bytes = registerBytes(to);
    if (bytes != 2 && bytes != 4 && bytes != 8) return workError("its result is too wide");
    site.kind = LogSite::Kind::accumulate;
    site.elements = 1;
    site.elementBytes = bytes == 8 ? 8 : 4;
    site.elementWords = bytes == 8 ? 2 : 1;
    site.isSigned16 = bytes == 2 && i.type == Type::s16;
    return site;
  }

  const Function& entry_;
  Accumulators accumulators_;
};

/// Groups the sites of an entry into records.
class RecordMaker {
 public:
  RecordMaker(const Function& entry, TraceLog& log) : entry_(entry), log_(log) {
    for (const Label& label : entry.labels) starts_.insert(label.at);
  }

  void run() {
    for (uint32_t i = 0; i < entry_.body.size(); ++i) {
      const Instruction& instruction = entry_.body[i];
      if (starts_.contains(i)) close();
      if (log_.sites[i].kind != LogSite::Kind::none) add(i);
      for (const uint32_t reg : writtenRegisters(instruction)) bases_.erase({reg, ""});
      if (isBranch(instruction) || isExit(instruction) || isBarrier(instruction)) close();
    }
  }

 private:
  using Base = std::pair<uint32_t, std::string>;  ///< A register, or a variable's name.

  void close() {
    isOpen_ = false;
    bases_.clear();
  }

  void add(uint32_t index) {
    LogSite& site = log_.sites[index];
    const bool isAlone =
        entry_.body[index].guard.reg != kNone && site.kind != LogSite::Kind::decision;
    if (isAlone || (isOpen_ && log_.records.back().words > kMostRecordWords)) close();
    if (!isOpen_) log_.records.push_back({index, index, 1});
    isOpen_ = true;
    LogRecord& record = log_.records.back();
    record.last = index;
    site.record = static_cast<uint32_t>(log_.records.size()) - 1;
    if (site.isAccess()) addBase(site, entry_.body[index]);
    site.at = record.words;
    record.words += site.words();
    if (isAlone) close();
  }

  // Accesses through one register share a logged base, unless it is written between them.
  void addBase(LogSite& site, const Instruction& instruction) {
    const Operand* address = addressOf(instruction);
    const auto [known, isNew] =
        bases_.try_emplace({address->reg, address->name}, log_.records.back().words);
    site.baseAt = known->second;
    site.writesBase = isNew;
    if (isNew) log_.records.back().words += 2;
  }

  const Function& entry_;
  TraceLog& log_;
  std::set<uint32_t> starts_;
  std::map<Base, uint32_t> bases_;  ///< Position of each base in the open record.
  bool isOpen_ = false;
};

void collectNames(const std::vector<Operand>& operands, std::set<std::string>& names) {
  for (const Operand& operand : operands) {
    if (!operand.name.empty()) names.insert(operand.name);
    collectNames(operand.elements, names);
  }
}

void nameVariables(const Module& module, const Function& entry, TraceLog& log) {
  std::set<std::string> used;
  for (const Instruction& i : entry.body) collectNames(i.operands, used);
  const auto add = [&](const Variable& variable) {
    if (variable.space == Space::shared && used.contains(variable.name)) {
      log.shared.push_back(variable.name);
    }
  };
  for (const Variable& variable : entry.variables) add(variable);
  for (const Variable& variable : module.variables) {
    add(variable);
    if (variable.space == Space::global) log.globals.push_back(variable.name);
  }
}

}  // namespace

Result<TraceLog> traceLogOf(const Module& module, const Function& entry, uint32_t threads,
                            LogContent content) {
  const auto refuse = [&](const std::string& why) {
    return workError(
        std::string(content == LogContent::events ? "A GPU cannot trace " : "A GPU cannot count ") +
        entry.name + ": " + why + ".");
  };
  if (const auto why = whyNotFollowed(module, entry)) return refuse(*why);
  if (entry.body.size() >= kMostLogInstructions) return refuse("it has too many instructions");
  TraceLog log;
  log.content = content;
  log.threads = threads;
  const SiteFinder finder(entry);
  for (uint32_t i = 0; i < entry.body.size(); ++i) {
    Result<LogSite> site = finder.siteOf(i, content);
    if (!site) {
      return refuse(site.error().message + " at PTX line " + std::to_string(entry.body[i].ptxLine));
    }
    log.sites.push_back(*site);
  }
  RecordMaker(entry, log).run();
  nameVariables(module, entry, log);
  return log;
}

}  // namespace tilestep::ptx
