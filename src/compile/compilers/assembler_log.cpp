// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/assembler_log.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/number_text.h"
#include "base/process/shortage.h"
#include "base/text_lines.h"

namespace tilestep::compile {
namespace {

constexpr std::string_view kInfo = "ptxas info ", kMore = "ptxas         . ";

/// Removes the first line from `text` and returns it.
std::string_view cutLine(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// The text after `mark`; nullopt if the line does not contain it.
std::optional<std::string_view> behind(std::string_view line, std::string_view mark) {
  const size_t at = line.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + mark.size());
}

/// The number at the start of the text, after blanks.
std::optional<uint32_t> leadingNumber(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return std::nullopt;
  return numberIn<uint32_t>(
      text.substr(begin, text.find_first_not_of("0123456789", begin) - begin));
}

/// A message in which ptxas rejects the PTX itself.
struct Refusal {
  uint32_t line = 0;  ///< In the PTX; 0 if not reported.
  std::string message;
};

/// Reported without a line, for a function that is declared and called but not defined.
constexpr std::string_view kUnresolved = "Unresolved extern function";

/// The message of a line such as "ptxas fatal : …"; nullopt if the line is not of this kind.
std::optional<std::string_view> messageOf(std::string_view line, std::string_view kind) {
  if (!line.starts_with("ptxas ")) return std::nullopt;
  const auto rest = behind(line, kind);
  const size_t colon = rest ? rest->find_first_not_of(' ') : std::string_view::npos;
  if (colon == std::string_view::npos || (*rest)[colon] != ':') return std::nullopt;
  const size_t text = rest->find_first_not_of(' ', colon + 1);
  if (text == std::string_view::npos) return std::nullopt;
  return rest->substr(text);
}

/// The PTX line that the message refers to; 0 if not reported.
uint32_t lineNamedIn(std::string_view line) {
  const auto place = behind(line, ", line ");
  return place ? leadingNumber(*place).value_or(0) : 0;
}

/// Reads "ptxas application ptx input, line 32; error : Instruction 'shfl' …". Messages without a
/// line are not refusals: they report a failure of ptxas, or a problem of the whole kernel, such as
/// too much shared memory, which depends on the tunables.
std::optional<Refusal> refusalOf(std::string_view line) {
  for (const std::string_view kind : {"error", "fatal"}) {
    const auto message = messageOf(line, kind);
    if (!message) continue;
    const uint32_t number = lineNamedIn(line);
    if (number > 0 || message->starts_with(kUnresolved))
      return Refusal{number, std::string(*message)};
  }
  return std::nullopt;
}

std::optional<Refusal> refusalIn(std::string_view log) {
  while (!log.empty())
    if (auto refusal = refusalOf(cutLine(log))) return refusal;
  return std::nullopt;
}

/// The remedy; empty if the message already contains it.
std::string adviceFor(std::string_view message) {
  if (message.starts_with(kUnresolved)) return "; it is declared but not defined in this file";
  if (message.find("without '.sync'") != std::string_view::npos)
    return "; use the form with .sync, as __shfl_down_sync and similar functions do";
  if (message.find("equires .target sm_") != std::string_view::npos)
    return "; write arch = \"compute_NN\" with that number in the front matter or the spec";
  return {};
}

/// The numbers of the .file directives for the source.
std::set<uint32_t> filesOf(std::string_view ptx, const std::string& path) {
  std::set<uint32_t> files;
  while (!ptx.empty()) {
    const std::string_view line = cutLine(ptx);
    const auto rest = behind(line, ".file");
    const auto number = rest ? leadingNumber(*rest) : std::nullopt;
    const size_t close = line.rfind('"');
    if (number && close != std::string_view::npos && line.substr(0, close).ends_with(path))
      files.insert(*number);
  }
  return files;
}

/// The source line of the last .loc up to PTX line `last`; 0 if there is none.
int sourceLineAt(std::string_view ptx, uint32_t last, const std::string& path) {
  const std::set<uint32_t> files = filesOf(ptx, path);
  int found = 0;
  for (uint32_t number = 1; number <= last && !ptx.empty(); ++number) {
    const std::string_view line = cutLine(ptx);
    const auto rest = behind(line, ".loc");
    const auto file = rest ? leadingNumber(*rest) : std::nullopt;
    if (!file || !files.contains(*file)) continue;
    const std::string_view places = rest->substr(rest->find_first_not_of(" \t"));
    const size_t second = places.find(' ');
    if (second == std::string_view::npos) continue;
    if (const auto at = leadingNumber(places.substr(second)); at && *at > 0)
      found = static_cast<int>(*at);
  }
  return found;
}

}  // namespace

ptx::Assembled assembledIn(std::string_view log) {
  ptx::Assembled assembled;
  std::string name;
  while (!log.empty()) {
    const std::string_view line = cutLine(log);
    if (!line.starts_with(kInfo) && !line.starts_with(kMore)) continue;
    if (const auto function = behind(line, "Function properties for ")) name = *function;
    if (const auto used = behind(line, "Used "))
      if (const auto count = leadingNumber(*used)) assembled[name].registers = *count;
    if (line.find(" bytes stack frame") == std::string_view::npos) continue;
    if (const auto bytes = leadingNumber(line.substr(kMore.size())))
      assembled[name].stackBytes = *bytes;
  }
  return assembled;
}

std::string assembledText(const ptx::Assembled& assembled) {
  std::string text;
  for (const auto& [name, function] : assembled) {
    text += std::string(kInfo) + "   : Function properties for " + name + "\n" +
            std::string(kMore) + "    " + std::to_string(function.stackBytes) +
            " bytes stack frame\n" + std::string(kInfo) + "   : Used " +
            std::to_string(function.registers) + " registers\n";
  }
  return text;
}

bool mayExceedGpu(const ptx::Assembled& assembled, uint32_t blockThreads) {
  return std::ranges::any_of(assembled, [&](const auto& each) {
    const auto& [registers, stackBytes] = each.second;
    // Registers are reported only for kernels.
    return registers > 0 ? blockThreads > ptx::mostThreadsPerBlock(registers) : stackBytes > 0;
  });
}

void takeFewer(const ptx::Assembled& other, ptx::Assembled& fewest) {
  for (auto& [name, function] : fewest) {
    const auto found = other.find(name);
    if (found == other.end()) {
      function.stackBytes = 0;
      continue;
    }
    function.stackBytes = std::min(function.stackBytes, found->second.stackBytes);
    function.registers = std::min(function.registers, found->second.registers);
  }
}

std::string withoutAssembled(std::string_view log) {
  std::string rest;
  while (!log.empty()) {
    const std::string_view line = cutLine(log);
    if (line.starts_with(kInfo) || line.starts_with(kMore)) continue;
    rest += line;
    rest += '\n';
  }
  while (rest.ends_with('\n')) rest.pop_back();
  return rest.empty() ? rest : rest + '\n';
}

bool isFromAssembler(std::string_view log) {
  while (!log.empty())
    if (cutLine(log).starts_with("ptxas ")) return true;
  return false;
}

std::string shortageIn(std::string_view log) {
  if (refusalIn(log)) return {};
  while (!log.empty()) {
    const std::string_view line = cutLine(log);
    const auto message = messageOf(line, "fatal");
    if (message && isResourceExhaustion(*message)) return std::string(*message);
  }
  return {};
}

bool isRefusedByAssembler(std::string_view log) {
  return refusalIn(log).has_value();
}

Error assemblerError(std::string_view log, std::string_view ptx, const KernelSource& source) {
  const Refusal refusal = refusalIn(log).value_or(Refusal{});
  Error error =
      requestError("ptxas, which generates the machine code, rejects this: " + refusal.message +
                   adviceFor(refusal.message));
  const int line = sourceLineAt(ptx, refusal.line, source.path);
  error.where = TextLocation{source.path, line, 0};
  if (line > 0) error.sourceLine = lineOf(source.text, line);
  return error;
}

}  // namespace tilestep::compile
