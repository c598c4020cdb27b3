// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_runs.h"

#include <algorithm>

#include "ptx/rewrite/instrument_probes.h"

namespace tilestep::ptx {
namespace {

std::string number(uint64_t value) {
  return std::to_string(value);
}

std::string reg(uint64_t index) {
  return "%r" + number(index);
}

/// The head of a .func and the loads of its parameters into %rd0 (if `hasAddress`) and %r1, %r2 …
std::string functionHead(const std::string& name, size_t words, bool hasAddress) {
  std::string out = ".func " + name + "(";
  std::string loads;
  if (hasAddress) {
    out += ".param .b64 " + name + "_0, ";
    loads += "\tld.param.u64 %rd0, [" + name + "_0];\n";
  }
  for (size_t i = 1; i <= words; ++i) {
    const std::string parameter = name + "_" + number(i);
    out += (i == 1 ? "" : ", ") + (".param .b32 " + parameter);
    loads += "\tld.param.u32 " + reg(i) + ", [" + parameter + "];\n";
  }
  return out + ")\n{\n\t.reg .b32 %r<" + number(words + 4) + ">;\n\t.reg .b32 %w<" +
         number(words + 1) + ">, %v<3>;\n\t.reg .b64 %rd<1>;\n\t.reg .pred %p<1>;\n" + loads;
}

void callEmit(std::string& out, uint32_t column, const std::string& start, const std::string& last,
              const std::string& period) {
  for (const std::string& line :
       callLines(Probes::kEmit, {{number(column)}, {start}, {last}, {period}, {"%v0"}})) {
    out += "\t" + line + "\n";
  }
}

void extract(std::string& out, const std::string& to, const CountField& field) {
  const std::string word = "%w" + number(field.word);
  out += field.bits == 32 ? "\tmov.b32 " + to + ", " + word + ";\n"
                          : "\tbfe.u32 " + to + ", " + word + ", " + number(field.shift) + ", " +
                                number(field.bits) + ";\n";
}

/// %v0 = a column's count in the words %w0, %w1, …
void decode(std::string& out, const std::vector<CountPart>& parts) {
  out += "\tmov.u32 %v0, 0;\n";
  for (const CountPart& part : parts) {
    extract(out, "%v1", part.field);
    if (part.hasTimes) {
      extract(out, "%v2", part.times);
      out += "\tmul.lo.u32 %v1, %v1, %v2;\n";
    }
    out += "\tmad.lo.u32 %v0, %v1, " + number(part.factor) + ", %v0;\n";
  }
}

std::string epochFunction(const CountDecoding& decoding, const std::string& name) {
  std::string out = functionHead(name, decoding.words + 1, false);
  for (uint32_t w = 0; w < decoding.words; ++w) {
    out += "\tmov.b32 %w" + number(w) + ", " + reg(w + 2) + ";\n";
  }
  for (const auto& [column, parts] : decoding.columns) {
    decode(out, parts);
    callEmit(out, column, "%r1", "%r1", "1");
  }
  return out + "\tret;\n}\n";
}

/// %r1: the epoch that was due, %r2: the period, %r3: the present epoch, followed by its words.
std::string runFunction(const CountDecoding& decoding, const std::string& name) {
  const uint32_t words = decoding.words + 3;
  const std::string start = reg(words + 1), last = reg(words + 2);
  std::string out = functionHead(name, words, true);
  out += "\tsetp.eq.u32 %p0, %r1, 0;\n\t@%p0 bra BEGIN;\n";
  out += "\tld.local.u32 " + start + ", [%rd0];\n\tsub.u32 " + last + ", %r1, %r2;\n";
  for (uint32_t w = 0; w < decoding.words; ++w) {
    out += "\tld.local.u32 %w" + number(w) + ", [%rd0+" + number(4 * (w + 1)) + "];\n";
  }
  for (const auto& [column, parts] : decoding.columns) {
    decode(out, parts);
    callEmit(out, column, start, last, "%r2");
  }
  out += "BEGIN:\n\tst.local.u32 [%rd0], %r3;\n";
  for (uint32_t w = 0; w < decoding.words; ++w) {
    out += "\tst.local.u32 [%rd0+" + number(4 * (w + 1)) + "], " + reg(w + 4) + ";\n";
  }
  return out + "\tret;\n}\n";
}

}  // namespace

uint32_t ColumnList::indexOf(const CountColumn& column) {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found != columns_.end()) return static_cast<uint32_t>(found - columns_.begin());
  columns_.push_back(column);
  return static_cast<uint32_t>(columns_.size()) - 1;
}

std::string RunFunctions::epochOf(const CountDecoding& decoding) {
  return epochs_.try_emplace(decoding, "tilestep_epoch_" + number(epochs_.size())).first->second;
}

std::string RunFunctions::runOf(const CountDecoding& decoding) {
  return runs_.try_emplace(decoding, "tilestep_run_" + number(runs_.size())).first->second;
}

std::string RunFunctions::text() const {
  std::string out;
  for (const auto& [decoding, name] : epochs_) out += epochFunction(decoding, name);
  for (const auto& [decoding, name] : runs_) out += runFunction(decoding, name);
  return out + lapText_;
}

}  // namespace tilestep::ptx
