// SPDX-License-Identifier: Apache-2.0
#include "model/text/glossary.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace tilestep::model {
namespace {

constexpr auto kTerms = std::to_array<Term>({
    {"thread", "",
     "One run of the kernel's code, with its own index, (tx, ty), and its own registers.",
     "..../.#../..../...."},
    {"block", "",
     "Threads that run on one multiprocessor. They share its shared memory and can wait for each "
     "other.",
     "##../##../..../...."},
    {"grid", "", "All blocks of one launch.", "##oo/##oo/oo##/oo##"},
    {"warp", "warp warps", "32 threads of a block that execute each instruction together.",
     "########"},
    {"lane", "lane lanes", "A thread's index in its warp, from 0 to 31.", "...#...."},
    {"tunable", "tunable tunables tile_width",
     "A constant of the kernel that is chosen when it is compiled, such as TILE_WIDTH.",
     "##../##../..../...."},
    {"global memory", "",
     "The GPU's large memory, which every thread can access. Accesses go through the caches, and "
     "those that miss all of them take longest.",
     "oooooooo/oooooooo/oooooooo"},
    {"shared memory", "",
     "Small and fast memory of one block, declared with __shared__. It lasts as long as the block.",
     "oooooooo/oooooooo/  ####  "},
    {"tile", "tile tiles",
     "The part of a matrix that a block loads into shared memory at one time.",
     "oo....../oo....../......../........"},
    {"slot", "slot slots", "One element of an array in shared memory.", "..../..#./..../...."},
    {"Mds, Nds", "mds nds",
     "The textbook's names of the two arrays in shared memory, for a tile of M and a tile of N.",
     "oo  ##/oo  ##"},
    {"Pvalue", "pvalue",
     "The textbook's name of the variable in which a thread adds up its element of P. It is a "
     "register.",
     "oo>#"},
    {"barrier", "barrier barriers __syncthreads",
     "__syncthreads(): no thread of the block continues before all of them have arrived.",
     "####/----/...."},
    {"phase", "phase phases",
     "One iteration of the kernel's loop over tiles: load a tile of M and one of N, then use them. "
     "ph counts them.",
     "oo##..../oo##...."},
    {"epoch", "epoch epochs",
     "The work of a block between two barriers: one load, or one computation.", "oo!##!oo"},
    {"element load", "",
     "An element that a lane loads from global memory. A lane that loads 16 bytes loads four of 4 "
     "bytes.",
     "o>#"},
    {"request", "request requests",
     "One memory instruction of one warp, with the accesses of up to 32 lanes.",
     "########/>>>>>>>>/oooooooo"},
    {"sector", "sector sectors",
     "32 bytes, the smallest unit that the caches fetch: 8 numbers of 4 bytes.",
     "oooooooo/........"},
    {"coalesced", "coalesced coalescing",
     "Accesses of a warp's lanes to neighbouring elements, which need few sectors: 32 consecutive "
     "numbers of 4 bytes are in 4 sectors.",
     "########/>>>>>>>>/oooooooo"},
    {"bank", "bank banks",
     "Shared memory has 32 banks. Neighbouring words of 4 bytes are in neighbouring banks, and "
     "each bank serves one word at a time.",
     "o.......>/o......."},
    {"bank conflict", "conflict conflicts",
     "Lanes of a warp access different words of one bank, which are served one after the other.",
     "x.../x.../x.../x..."},
    {"wavefront", "wavefront wavefronts",
     "One pass in which shared memory serves lanes of a request. Bank conflicts need several.",
     "##../..##"},
    {"divergence", "diverge diverges divergent divergence",
     "Lanes of a warp take different paths at a branch. The warp executes one path after the "
     "other, with the lanes of the other paths off.",
     "##../##../..##/..##"},
    {"predication", "predication predicated predicate predicates",
     "A condition that only decides whether an instruction takes effect in a lane. There is no "
     "branch, and the lanes stay together.",
     "#.#.#.#./########"},
    {"race", "race races racing",
     "Two threads access one address, at least one of them writes, and no barrier separates the "
     "accesses, so the result depends on which is first.",
     "#>x/#>x"},
    {"occupancy", "occupancy",
     "The number of warps on a multiprocessor at once, as a share of the maximum.",
     "######../######.."},
    {"bandwidth", "bandwidth", "Bytes that a memory moves in a second.", "oooo>>##"},
    {"FLOP/s", "flop/s tflop/s gflop/s",
     "Floating-point operations in a second. A multiplication and an addition count as two.",
     "##>o"},
    {"stream", "stream streams",
     "A queue of work for the GPU: launches, copies and events, one after the other. The CPU puts "
     "work into it and does not wait.",
     "##>oo>##>"},
    {"event", "cudaeventrecord cudaeventelapsedtime",
     "A mark in a stream. The GPU records the time at which it reaches the mark.", "..!....!"},
    {"synchronisation", "synchronise synchronises synchronised cudadevicesynchronize",
     "The CPU waits until the GPU has done its work.", "##>o/---o"},
    {"percentile", "percentile percentiles p10 p90",
     "A tenth of the samples are below their 10th percentile (p10), half are below the median, and "
     "nine tenths are below the 90th percentile (p90).",
     "..####../.######./########"},
    {"arithmetic intensity", "intensity",
     "Floating-point operations for each byte that is moved (FLOP/B).", "####/o"},
    {"roofline", "roofline roof roofs",
     "The most FLOP/s that a kernel can reach: bandwidth times its intensity, but no more than the "
     "peak of the arithmetic units.",
     "....oooo/..oo..../oo......"},
    {"ridge", "ridge",
     "The intensity at which the roof becomes level. Left of it bandwidth limits a kernel, right "
     "of it arithmetic.",
     "....#ooo/..oo..../oo......"},
});

/// The word in lower case without surrounding punctuation: "(Lanes," becomes "lanes".
std::string bare(std::string_view word) {
  const auto isMark = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x80 && std::isalnum(byte) == 0 && c != '_';
  };
  while (!word.empty() && isMark(word.front())) word.remove_prefix(1);
  while (!word.empty() && isMark(word.back())) word.remove_suffix(1);
  std::string small(word);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

bool holds(std::string_view words, std::string_view word) {
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(' ', at), words.size());
    if (words.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

std::span<const Term> glossary() {
  return kTerms;
}

const Term* termOf(std::string_view word) {
  const std::string small = bare(word);
  if (small.empty()) return nullptr;
  const auto at =
      std::ranges::find_if(kTerms, [&](const Term& term) { return holds(term.words, small); });
  return at == kTerms.end() ? nullptr : &*at;
}

}  // namespace tilestep::model
