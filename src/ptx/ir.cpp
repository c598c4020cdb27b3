// SPDX-License-Identifier: Apache-2.0
#include "ptx/ir.h"

#include <algorithm>
#include <unordered_map>

#include "ptx/names.h"

namespace tilestep::ptx {
namespace {

struct TypeRow {
  std::string_view text;
  unsigned bytes;
};

// clang-format off
constexpr TypeRow kTypes[] = {
    {"", 0},     {"b8", 1},  {"b16", 2},   {"b32", 4},  {"b64", 8},    {"b128", 16}, {"u8", 1},
    {"u16", 2},  {"u32", 4}, {"u64", 8},   {"s8", 1},   {"s16", 2},    {"s32", 4},   {"s64", 8},
    {"f16", 2},  {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"f32", 4}, {"f64", 8},   {"pred", 1},
    {"u16x2", 4}, {"s16x2", 4}, {"tf32", 4},
};
// clang-format on
static_assert(std::size(kTypes) == static_cast<size_t>(Type::tf32) + 1);

constexpr std::string_view kSpaces[] = {"", "param", "global", "shared", "local", "const", ""};
static_assert(std::size(kSpaces) == static_cast<size_t>(Space::generic) + 1);

constexpr std::string_view kRoundings[] = {"",    "rn",  "rz",  "rm",  "rp",
                                           "rna", "rni", "rzi", "rmi", "rpi"};
static_assert(std::size(kRoundings) == static_cast<size_t>(Rounding::rpi) + 1);

constexpr std::string_view kCompares[] = {"",    "eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                          "lo",  "ls",  "hi",  "hs",  "equ", "neu", "ltu",
                                          "leu", "gtu", "geu", "num", "nan"};
static_assert(std::size(kCompares) == static_cast<size_t>(Compare::nan) + 1);

// clang-format off
constexpr std::string_view kSpecials[] = {
    "%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z",
    "%ctaid.x", "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z",
    "%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid",
    "%clock", "%clock_hi", "%clock64", "%globaltimer",
    "%lanemask_eq", "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge",
    "%dynamic_smem_size", "%total_smem_size",
    "%aggr_smem_size", "%globaltimer_lo", "%globaltimer_hi", "%current_graph_exec",
    "%reserved_smem_offset_begin", "%reserved_smem_offset_end", "%reserved_smem_offset_cap",
    "%reserved_smem_offset_0", "%reserved_smem_offset_1",
    "%is_explicit_cluster", "%clusterid.x", "%clusterid.y", "%clusterid.z",
    "%nclusterid.x", "%nclusterid.y", "%nclusterid.z",
    "%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z",
    "%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z",
    "%cluster_ctarank", "%cluster_nctarank",
    "%pm0", "%pm1", "%pm2", "%pm3", "%pm4", "%pm5", "%pm6", "%pm7",
    "%pm0_64", "%pm1_64", "%pm2_64", "%pm3_64", "%pm4_64", "%pm5_64", "%pm6_64", "%pm7_64",
    "%envreg0", "%envreg1", "%envreg2", "%envreg3", "%envreg4", "%envreg5", "%envreg6",
    "%envreg7", "%envreg8", "%envreg9", "%envreg10", "%envreg11", "%envreg12", "%envreg13",
    "%envreg14", "%envreg15", "%envreg16", "%envreg17", "%envreg18", "%envreg19", "%envreg20",
    "%envreg21", "%envreg22", "%envreg23", "%envreg24", "%envreg25", "%envreg26", "%envreg27",
    "%envreg28", "%envreg29", "%envreg30", "%envreg31",
};
// clang-format on
static_assert(std::size(kSpecials) == static_cast<size_t>(SpecialRegister::envreg31) + 1);

/// The enumerator at the position of `word` in `words`. Position 0, `none`, has no word.
template <class Enum, size_t N>
std::optional<Enum> enumeratorOf(const std::string_view (&words)[N], std::string_view word) {
  const auto found = std::find(words + 1, words + N, word);
  if (found == words + N || word.empty()) return std::nullopt;
  return static_cast<Enum>(found - words);
}

template <class Enum>
using WordMap = std::unordered_map<std::string_view, Enum>;

WordMap<Type> makeTypes() {
  WordMap<Type> map;
  for (size_t i = 1; i < std::size(kTypes); ++i) map.emplace(kTypes[i].text, static_cast<Type>(i));
  return map;
}

WordMap<SpecialRegister> makeSpecials() {
  WordMap<SpecialRegister> map;
  for (size_t i = 0; i < std::size(kSpecials); ++i) {
    map.emplace(kSpecials[i], static_cast<SpecialRegister>(i));
  }
  return map;
}

template <class Enum>
std::optional<Enum> lookUp(const WordMap<Enum>& map, std::string_view word) {
  const auto found = map.find(word);
  if (found == map.end()) return std::nullopt;
  return found->second;
}

}  // namespace

std::string_view toText(Type type) {
  return kTypes[static_cast<size_t>(type)].text;
}
unsigned bytesOf(Type type) {
  return kTypes[static_cast<size_t>(type)].bytes;
}
bool isFloat(Type type) {
  return type >= Type::f16 && type <= Type::f64;
}
bool isSigned(Type type) {
  return type >= Type::s8 && type <= Type::s64;
}
std::string_view toText(Space space) {
  return kSpaces[static_cast<size_t>(space)];
}
std::string_view toText(SpecialRegister name) {
  return kSpecials[static_cast<size_t>(name)];
}

std::optional<Type> typeOf(std::string_view word) {
  static const WordMap<Type> types = makeTypes();
  return lookUp(types, word);
}

std::optional<Space> spaceOf(std::string_view word) {
  return enumeratorOf<Space>(kSpaces, word.substr(0, word.find("::")));
}

std::optional<Rounding> roundingOf(std::string_view word) {
  return enumeratorOf<Rounding>(kRoundings, word);
}

std::optional<Compare> compareOf(std::string_view word) {
  return enumeratorOf<Compare>(kCompares, word);
}

std::optional<SpecialRegister> specialRegisterOf(std::string_view word) {
  static const WordMap<SpecialRegister> specials = makeSpecials();
  return lookUp(specials, word);
}

bool Instruction::has(std::string_view suffix) const {
  return std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end();
}

const Function* Module::find(std::string_view function) const {
  const Function* declaration = nullptr;
  for (const Function& candidate : functions) {
    if (candidate.name != function) continue;
    if (!candidate.isExtern) return &candidate;
    declaration = &candidate;
  }
  return declaration;
}

}  // namespace tilestep::ptx
