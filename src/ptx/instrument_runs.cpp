// SPDX-License-Identifier: Apache-2.0
#include "ptx/instrument_runs.h"

#include <algorithm>

#include "ptx/instrument_probes.h"

namespace tilestep::ptx {
namespace {

std::string number(uint64_t value) {
  return std::to_string(value);
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
    loads += "\tld.param.u32 %r" + number(i) + ", [" + parameter + "];\n";
  }
  return out + ")\n{\n\t.reg .b32 %r<" + number(words + 4) +
         ">;\n\t.reg .b64 %rd<1>;\n\t.reg .pred %p<1>;\n" + loads;
}

void callEmit(std::string& out, uint32_t column, const std::string& start, const std::string& last,
              const std::string& period, const std::string& value) {
  for (const std::string& line :
       callLines(Probes::kEmit, {{number(column)}, {start}, {last}, {period}, {value}})) {
    out += "\t" + line + "\n";
  }
}

std::string epochFunction(const std::set<uint32_t>& columns, const std::string& name) {
  std::string out = functionHead(name, columns.size() + 1, false);
  size_t value = 2;
  for (const uint32_t column : columns) {
    callEmit(out, column, "%r1", "%r1", "1", "%r" + number(value++));
  }
  return out + "\tret;\n}\n";
}

/// %r1 the epoch that was due, %r2 the period, %r3 the epoch now, then its counts.
std::string runFunction(const std::set<uint32_t>& columns, const std::string& name) {
  const size_t words = columns.size() + 3;
  const std::string start = "%r" + number(words + 1), last = "%r" + number(words + 2),
                    value = "%r" + number(words + 3);
  std::string out = functionHead(name, words, true);
  out += "\tsetp.eq.u32 %p0, %r1, 0;\n\t@%p0 bra BEGIN;\n";
  out += "\tld.local.u32 " + start + ", [%rd0];\n\tsub.u32 " + last + ", %r1, %r2;\n";
  size_t slot = 1;
  for (const uint32_t column : columns) {
    out += "\tld.local.u32 " + value + ", [%rd0+" + number(4 * slot++) + "];\n";
    callEmit(out, column, start, last, "%r2", value);
  }
  out += "BEGIN:\n\tst.local.u32 [%rd0], %r3;\n";
  for (slot = 1; slot <= columns.size(); ++slot) {
    out += "\tst.local.u32 [%rd0+" + number(4 * slot) + "], %r" + number(slot + 3) + ";\n";
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

std::string RunFunctions::epochOf(const std::set<uint32_t>& columns) {
  return epochs_.try_emplace(columns, "tilestep_epoch_" + number(epochs_.size())).first->second;
}

std::string RunFunctions::runOf(const std::set<uint32_t>& columns) {
  return runs_.try_emplace(columns, "tilestep_run_" + number(runs_.size())).first->second;
}

std::string RunFunctions::text() const {
  std::string out;
  for (const auto& [columns, name] : epochs_) out += epochFunction(columns, name);
  for (const auto& [columns, name] : runs_) out += runFunction(columns, name);
  return out;
}

}  // namespace tilestep::ptx
