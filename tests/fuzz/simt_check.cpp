// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <vector>

#include "base/hash.h"
#include "fuzz/checks.h"
#include "fuzz/random_program.h"
#include "ptx/text/parser.h"
#include "simt/engines.h"
#include "simt/grid.h"

namespace tilestep::fuzz {
namespace {

using Memory = std::vector<uint8_t>;

constexpr uint32_t kThreads = 64;
constexpr size_t kBufferBytes = 4096;
constexpr size_t kTraceBytes = 1 << 20;

struct Outcome {
  std::string error;
  std::string faults;  ///< Kinds and lines.
  bool cutOff = false;
  std::vector<Memory> memory;
};

std::string faultsOf(const simt::GridResult& result) {
  std::string text;
  for (const simt::Fault& fault : result.faults) {
    text += fault.kind + " at " + std::to_string(fault.line) + " x " + std::to_string(fault.count) +
            ": " + fault.message + "\n";
  }
  return text;
}

Outcome run(simt::GridRequest request, std::vector<Memory> memory) {
  Outcome outcome;
  std::vector<Memory> shadows;
  for (const Memory& bytes : memory) shadows.emplace_back(bytes.size());
  for (size_t i = 0; i < memory.size(); ++i) {
    request.buffers.push_back({"buffer" + std::to_string(i), "", memory[i].data(), memory[i].size(),
                               shadows[i].data(), true});
  }
  const auto result = simt::runGrid(request, {});
  outcome.memory = std::move(memory);
  if (!result) {
    outcome.error = toString(result.error());
    return outcome;
  }
  outcome.faults = faultsOf(*result);
  for (const simt::Fault& fault : result->faults) {
    if (fault.kind == "timeout") outcome.cutOff = true;
    if (fault.message.empty()) outcome.error = "a fault without a message";
  }
  return outcome;
}

simt::GridRequest launchOf(const ptx::Module& module, const ptx::Function& entry) {
  simt::GridRequest request;
  request.module = &module;
  request.launch = {entry.name, {2, 1, 1}, {40, 1, 1}, 256};
  request.counters = true;
  request.timeoutSeconds = 0.05;
  simt::TraceOptions trace;
  trace.capBytes = kTraceBytes;
  request.trace = trace;
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    const bool isAddress = entry.parameters[i].bytes() == sizeof(uint64_t);
    request.parameters.push_back(isAddress ? simt::addressOf(i % 3) : 16 + i);
  }
  return request;
}

std::string checkEntry(const ptx::Module& module, const ptx::Function& entry) {
  Outcome first;
  for (const simt::Engine* engine : simt::engines()) {
    simt::GridRequest request = launchOf(module, entry);
    request.engine = engine;
    std::vector<Memory> memory(3, Memory(kBufferBytes));
    for (size_t i = 0; i < kBufferBytes; ++i) {
      memory[0][i] = memory[1][i] = static_cast<uint8_t>(splitmix64(i) >> 60);
    }
    Outcome outcome = run(std::move(request), std::move(memory));
    if (outcome.cutOff) return {};
    if (engine == simt::engines().front()) {
      first = std::move(outcome);
      continue;
    }
    if (outcome.error != first.error) return "other errors: " + outcome.error + " | " + first.error;
    if (outcome.faults != first.faults) {
      return "other faults with " + std::string(engine->name) + ":\n" + outcome.faults + "and\n" +
             first.faults;
    }
    if (outcome.memory != first.memory) return "other bytes with " + std::string(engine->name);
  }
  return {};
}

std::vector<Memory> inputs(uint64_t number) {
  std::vector<Memory> memory{Memory(size_t{kThreads} * kThreadOutput),
                             Memory(size_t{kThreads} * kThreadInput)};
  constexpr uint32_t kTelling[] = {0,          1,          0x80000000, 0xffffffff, 0x7f800000,
                                   0xff800000, 0x7fc00000, 0x00000001, 0x3f800000, 0x007fffff};
  for (size_t i = 0; i + 4 <= memory[1].size(); i += 4) {
    const uint64_t random = splitmix64(number * 1000003 + i);
    uint32_t value = static_cast<uint32_t>(random >> 32);
    if (random % 3 == 0) value = kTelling[random / 3 % 10];
    if (random % 3 == 1) value &= 0xff;
    std::memcpy(&memory[1][i], &value, sizeof(value));
  }
  return memory;
}

std::string firstDifference(const Memory& one, const Memory& other) {
  for (size_t i = 0; i < one.size(); ++i) {
    if (one[i] == other[i]) continue;
    return "thread " + std::to_string(i / kThreadOutput) + ", byte " +
           std::to_string(i % kThreadOutput);
  }
  return "nothing";
}

/// Returns the difference, or an empty string.
std::string checkIndependent(const std::string& text, uint64_t number) {
  const Result<ptx::Module> module = ptx::parse(text, "random.ptx");
  if (!module) return "parse: " + toString(module.error());
  std::vector<Memory> first;
  for (const simt::Engine* engine : simt::engines()) {
    for (const bool alone : {false, true}) {
      for (const bool traced : {false, true}) {
        simt::GridRequest request;
        request.module = &*module;
        request.engine = engine;
        request.counters = traced;
        request.launch = {"fuzz", {alone ? kThreads : 1, 1, 1}, {alone ? 1 : kThreads, 1, 1}, 0};
        request.parameters = {simt::addressOf(0), simt::addressOf(1)};
        if (traced) request.trace.emplace().capBytes = kTraceBytes;
        Outcome outcome = run(std::move(request), inputs(number));
        const std::string how = std::string(engine->name) +
                                (alone ? ", threads alone" : ", together") +
                                (traced ? ", traced: " : ": ");
        const std::string trouble = outcome.error + outcome.faults;
        if (!trouble.empty()) return "fault: " + how + trouble;
        if (first.empty()) first = outcome.memory;
        if (outcome.memory == first) continue;
        return "differs: " + how + firstDifference(first[0], outcome.memory[0]);
      }
    }
  }
  return {};
}

/// The part before the colon, which is equal in findings with the same cause.
std::string_view kindOf(std::string_view trouble) {
  return trouble.substr(0, trouble.find(':'));
}

/// Removes lines of the body as long as trouble of the same kind remains.
std::string shrink(std::string text, uint64_t number, std::string_view kind) {
  for (size_t lines = 64; lines > 0; lines /= 2) {
    for (size_t at = text.find('\n', text.find(kBodyStart)) + 1; at < text.find(kBodyEnd);) {
      size_t end = at;
      for (size_t i = 0; i < lines && end < text.find(kBodyEnd); ++i) {
        end = text.find('\n', end) + 1;
      }
      std::string shorter = text.substr(0, at) + text.substr(end);
      if (kindOf(checkIndependent(shorter, number)) == kind)
        text = std::move(shorter);
      else
        at = text.find('\n', at) + 1;
    }
  }
  return text;
}

}  // namespace

std::string checkInterpreter(std::string_view text) {
  const Result<ptx::Module> module = ptx::parse(text, "fuzz");
  if (!module) return {};
  for (const ptx::Function& function : module->functions) {
    if (!function.isEntry) continue;
    const std::string trouble = checkEntry(*module, function);
    if (!trouble.empty()) return function.name + ": " + trouble;
  }
  return {};
}

std::string checkRandomProgram(uint64_t number) {
  const std::string text = randomProgram(number);
  const std::string trouble = checkIndependent(text, number);
  if (trouble.empty()) return {};
  const std::string shorter = shrink(text, number, kindOf(trouble));
  return checkIndependent(shorter, number) + "\n" + shorter;
}

}  // namespace tilestep::fuzz
