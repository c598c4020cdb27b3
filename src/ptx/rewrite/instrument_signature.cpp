// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_signature.h"

#include <algorithm>
#include <set>

#include "ptx/analysis/behaviour.h"
#include "ptx/analysis/counted.h"
#include "ptx/analysis/uses.h"
#include "ptx/rewrite/instrument_copies.h"
#include "ptx/rewrite/instrument_parts.h"
#include "ptx/rewrite/instrument_probes.h"

namespace tilestep::ptx {
namespace {

/// The number of words before the roots in a signature: the last decisions, two hashes of the words
/// of earlier decisions, and the number of hashed words.
constexpr uint64_t kWayWords = 4;
constexpr uint32_t kWordBits = 32;

class SignatureWeaver {
 public:
  SignatureWeaver(const Function& entry, uint64_t threadsPerBlock)
      : entry_(entry), behaviour_(behaviourOf(entry)), threadsPerBlock_(threadsPerBlock) {
    layout_.lanes = static_cast<uint32_t>(std::clamp<uint64_t>(threadsPerBlock, 1, 32));
    layout_.ofOnePlace = behaviour_.ofOnePlace;
    layout_.kinds.assign(kWayWords, SignatureLayout::kExact);
  }

  Weave weave(uint32_t registers) {
    weave_.parameters = {".param .u64 tilestep_signatures", ".param .u32 tilestep_first",
                         ".param .u32 tilestep_blocks"};
    weave_.declarations = {".reg .b64 %tstep_signature, %tstep_value;",
                           ".reg .b32 %tstep_way, %tstep_t<5>;", ".reg .pred %tstep_p, %tstep_q;"};
    begin();
    for (const Behaviour::Told& told : behaviour_.told)
      decide(weave_.after[told.instruction], nameOf(told.reg));
    decisions();
    std::vector<Behaviour::Root> roots = behaviour_.roots;
    std::ranges::stable_sort(roots, {}, &Behaviour::Root::group);
    for (size_t i = 0; i < roots.size(); ++i)
      addRoot(roots[i], i > 0 && roots[i].group == roots[i - 1].group);
    for (uint32_t i = 0; i < entry_.body.size(); ++i) {
      if (isExit(at(i))) leave(i);
    }
    if (auto limit = threadLimit(entry_, threadsPerBlock_)) {
      weave_.directives.push_back(registers == 0 ? *limit : ".maxnreg " + number(registers));
    }
    weave_.absent = onlyCounted(entry_);
    return std::move(weave_);
  }

  [[nodiscard]] const SignatureLayout& layout() const { return layout_; }
  /// Whether the inserted code calls the probes' functions.
  [[nodiscard]] bool calls() const { return !behaviour_.isShort; }

 private:
  [[nodiscard]] const Instruction& at(uint32_t index) const { return entry_.body[index]; }
  [[nodiscard]] const std::string& nameOf(uint32_t reg) const { return entry_.registers[reg].name; }
  [[nodiscard]] std::string guardText(const Guard& guard) const {
    if (guard.reg == kNone) return {};
    return (guard.negated ? "@!" : "@") + nameOf(guard.reg) + " ";
  }

  void begin() {
    const auto repeated =
        static_cast<size_t>(std::ranges::count_if(behaviour_.roots, &Behaviour::Root::repeats));
    const uint64_t words = kWayWords + behaviour_.roots.size() + 2 * repeated;
    Lines& out = weave_.start;
    append(out, numberThreads());
    append(out,
           {"ld.param.u32 %tstep_t1, [tilestep_first];", "sub.u32 %tstep_t0, %tstep_t0, %tstep_t1;",
            "ld.param.u32 %tstep_t1, [tilestep_blocks];",
            "min.u32 %tstep_t0, %tstep_t0, %tstep_t1;", "shr.u32 %tstep_t1, %tstep_t3, 5;",
            "mad.lo.u32 %tstep_t0, %tstep_t0, %tstep_t4, %tstep_t1;",
            "and.b32 %tstep_t3, %tstep_t3, 31;",
            "ld.param.u64 %tstep_signature, [tilestep_signatures];",
            "mad.wide.u32 %tstep_signature, %tstep_t3, 8, %tstep_signature;",
            "mul.wide.u32 %tstep_value, %tstep_t0, " + number(words * layout_.bytesPerWord()) + ";",
            "add.s64 %tstep_signature, %tstep_signature, %tstep_value;", "mov.u32 %tstep_way, 1;"});
  }

  // ---- The path ----

  std::string label() { return "$tstep_" + number(serial_++); }

  /// Makes space for `bits` more decisions. Adds a full word to the hashes.
  void makeRoom(Lines& out, uint32_t bits) {
    if (!behaviour_.isShort) putAway(out, bits);
    out.push_back("shl.b32 %tstep_way, %tstep_way, " + number(bits) + ";");
  }

  void putAway(Lines& out, uint32_t bits) {
    const std::string room = label();
    out.push_back("setp.lt.u32 %tstep_p, %tstep_way, " + number(uint64_t{1} << (kWordBits - bits)) +
                  ";");
    out.push_back("@%tstep_p bra " + room + ";");
    out.push_back("add.s64 %tstep_value, %tstep_signature, " + number(layout_.bytesPerWord()) +
                  ";");
    append(out, callLines(Probes::kAppendWay,
                          {{"%tstep_value", 64}, {number(layout_.lanes)}, {"%tstep_way"}}));
    out.push_back("mov.u32 %tstep_way, 1;");
    out.push_back(room + ":");
  }

  void decide(Lines& out, const std::string& predicate) {
    makeRoom(out, 1);
    out.push_back("selp.u32 %tstep_t0, 1, 0, " + predicate + ";");
    out.push_back("or.b32 %tstep_way, %tstep_way, %tstep_t0;");
  }

  // Records each unknown guard, but not again before it may have changed.
  void decisions() {
    std::set<uint32_t> starts, told;
    for (const Label& label : entry_.labels) starts.insert(label.at);
    for (uint32_t i = 0; i < entry_.body.size(); ++i) {
      if (starts.contains(i)) told.clear();
      const Instruction& instruction = at(i);
      if (behaviour_.open[i] && told.insert(instruction.guard.reg).second) {
        decide(weave_.before[i], nameOf(instruction.guard.reg));
      }
      if (behaviour_.openSpace[i]) decideSpace(i);
      for (const uint32_t reg : writtenRegisters(instruction)) told.erase(reg);
    }
  }

  /// Records whether a generic address is in shared memory, global memory or neither.
  void decideSpace(uint32_t index) {
    const std::string& address = nameOf(accessOf(at(index))->address->reg);
    for (const char* space : {"shared", "global"}) {
      weave_.before[index].push_back(std::string("isspacep.") + space + " %tstep_q, " + address +
                                     ";");
      decide(weave_.before[index], "%tstep_q");
    }
  }

  void leave(uint32_t index) {
    Lines& out = weave_.before[index];
    out.push_back("cvt.u64.u32 %tstep_value, %tstep_way;");
    out.push_back(guardText(at(index).guard) + "st.global.b64 [%tstep_signature], %tstep_value;");
  }

  // ---- Roots ----

  /// `isGrouped` is true if the root belongs to the group of the preceding root.
  void addRoot(const Behaviour::Root& root, bool isGrouped) {
    const uint64_t word = layout_.kinds.size();
    const std::string place = number(word * layout_.bytesPerWord());
    const Register& reg = entry_.registers[root.reg];
    const unsigned bytes = bytesOf(reg.type);
    Lines& out = weave_.after[root.instruction];
    const std::string sign = root.repeats ? "s" : "u";
    out.push_back(bytes == 8 ? "mov.b64 %tstep_value, " + reg.name + ";"
                             : "cvt." + sign + "64." + sign + number(8 * bytes) +
                                   " %tstep_value, " + reg.name + ";");
    const unsigned kind = root.alignment + (isGrouped ? SignatureLayout::kGrouped : 0U);
    layout_.kinds.push_back(root.exact ? SignatureLayout::kExact : static_cast<uint8_t>(kind));
    if (!root.repeats) {
      out.push_back("add.s64 %tstep_value, %tstep_value, " + number(SignatureLayout::kPresent) +
                    ";");
      out.push_back("st.global.b64 [%tstep_signature+" + place + "], %tstep_value;");
      return;
    }
    layout_.kinds.insert(layout_.kinds.end(), 2, SignatureLayout::kExact);
    out.push_back("{ .reg .b64 %tstep_words;");
    out.push_back("add.s64 %tstep_words, %tstep_signature, " + place + ";");
    append(out, callLines(Probes::kAppendRoot,
                          {{"%tstep_words", 64}, {number(layout_.lanes)}, {"%tstep_value", 64}}));
    out.push_back("}");
  }

  const Function& entry_;
  const Behaviour behaviour_;
  const uint64_t threadsPerBlock_;
  SignatureLayout layout_;
  Weave weave_;
  uint32_t serial_ = 0;
};

}  // namespace

Signing signEntry(const Function& entry, uint64_t threadsPerBlock, uint32_t registers) {
  SignatureWeaver weaver(entry, threadsPerBlock);
  Weave weave = weaver.weave(registers);
  return {std::move(weave), weaver.layout(), weaver.calls()};
}

}  // namespace tilestep::ptx
