// SPDX-License-Identifier: Apache-2.0
#include "cosim/report.h"

#include <cinttypes>
#include <cstdio>

#include "cosim/bounds.h"
#include "cosim/values.h"

namespace tilestep::cosim {
namespace {

std::string describe(Kind kind, uint64_t bits) {
  char text[80];
  std::snprintf(text, sizeof text, "0x%0*" PRIx64, static_cast<int>(2 * bytesOf(kind)), bits);
  std::string out = std::string(text) + " (";
  bool isFirst = true;
  for (const double number : numbersIn(kind, bits)) {
    std::snprintf(text, sizeof text, "%s%.17g", isFirst ? "" : ", ", number);
    out += text;
    isFirst = false;
  }
  return out + ")";
}

std::string differenceAt(const Form& form, uint32_t number, const std::string& gpu,
                         const std::vector<uint64_t>& here, const std::string& why) {
  return form.text + " case " + std::to_string(number) + ": " + describeSources(form, number) +
         "; GPU " + gpu + ", interpreter " + describeResults(form, here, number) + why;
}

std::vector<uint64_t> sourcesOf(const Form& form, uint32_t number) {
  std::vector<uint64_t> sources;
  for (size_t slot = 0; slot < form.sources.size(); ++slot) {
    sources.push_back(valueOf(form, slot, number));
  }
  return sources;
}

std::string firstBeyond(const Form& form, const std::vector<uint64_t>& gpu,
                        const std::vector<uint64_t>& here, size_t cases) {
  for (uint32_t i = 0; i < cases; ++i) {
    if (const auto complaint = complaintOf(form, sourcesOf(form, i), gpu[i], here[i])) {
      return differenceAt(form, i, describeResults(form, gpu, i), here, ": " + *complaint);
    }
  }
  return {};
}

}  // namespace

std::string describeSources(const Form& form, uint32_t number) {
  std::string text;
  for (size_t slot = 0; slot < form.sources.size(); ++slot) {
    text += (slot == 0 ? "%" : ", %") + std::string(1, "abcg"[slot]) + " = " +
            describe(form.sources[slot], valueOf(form, slot, number));
  }
  return text;
}

std::string describeResults(const Form& form, const std::vector<uint64_t>& results,
                            uint32_t number) {
  const size_t stride = results.size() / form.results.size();
  std::string text;
  for (size_t slot = 0; slot < form.results.size(); ++slot) {
    text += (slot == 0 ? "" : ", ") + describe(form.results[slot], results[slot * stride + number]);
  }
  return text;
}

std::string firstDifference(const Form& form, const Answer& kept,
                            const std::vector<uint64_t>& here) {
  if (form.check != Check::exact) return firstBeyond(form, kept.results, here, kKeptCases);
  const Answer mine = answerOf(form, here);
  if (mine.hash == kept.hash) return {};
  for (uint32_t group = 0; group < kKeptCases / kGroup; ++group) {
    if (mine.groups[group] == kept.groups[group]) continue;
    std::string text = form.text + ": the GPU answers at least one of these cases differently";
    for (uint32_t i = group * kGroup; i < (group + 1) * kGroup; ++i) {
      text += "\n  case " + std::to_string(i) + ": " + describeSources(form, i) +
              "; interpreter " + describeResults(form, here, i);
    }
    return text;
  }
  return form.text + ": the hash of all results differs, and no group of cases shows where";
}

std::string firstDifference(const Form& form, const std::vector<uint64_t>& gpu,
                            const std::vector<uint64_t>& here) {
  const auto cases = static_cast<uint32_t>(gpu.size() / form.results.size());
  if (form.check != Check::exact) return firstBeyond(form, gpu, here, cases);
  for (uint32_t i = 0; i < cases; ++i) {
    for (size_t slot = 0; slot < form.results.size(); ++slot) {
      if (gpu[slot * cases + i] == here[slot * cases + i]) continue;
      return differenceAt(form, i, describeResults(form, gpu, i), here, "");
    }
  }
  return {};
}

}  // namespace tilestep::cosim
