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
     "One run of the kernel's code, with an index of its own, (tx, ty), and its own registers.",
     "..../.#../..../...."},
    {"block", "",
     "Threads that run on one multiprocessor. They share its shared memory and can wait for each "
     "other.",
     "##../##../..../...."},
    {"grid", "", "All blocks of one launch.", "##oo/##oo/oo##/oo##"},
    {"warp", "warp warps", "32 threads of a block that execute each instruction together.",
     "########"},
    {"lane", "lane lanes", "A thread's place in its warp, from 0 to 31.", "...#...."},
    {"tunable", "tunable tunables tile_width",
     "A constant of the kernel that is chosen when it is compiled, such as TILE_WIDTH.",
     "##../##../..../...."},
    {"global memory", "",
     "The GPU's large memory, which every thread can access. The caches stand in front of it, and "
     "an access that misses all of them takes longest.",
     "oooooooo/oooooooo/oooooooo"},
    {"shared memory", "",
     "Small and fast memory of one block, declared with __shared__. It lasts as long as the block.",
     "oooooooo/oooooooo/  ####  "},
    {"tile", "tile tiles", "The part of a matrix that a block loads into shared memory at a time.",
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
     "__syncthreads(): no thread of the block goes on before all of them have arrived.",
     "####/----/...."},
    {"phase", "phase phases",
     "One turn of the kernel's loop over tiles: load a tile of M and one of N, then use them. ph "
     "counts them.",
     "oo##..../oo##...."},
    {"epoch", "epoch epochs",
     "What a block does between two barriers: one load, or one computation.", "oo!##!oo"},
    {"element load", "",
     "An element that a lane asks global memory for. A lane that loads 16 bytes asks for four of 4 "
     "bytes.",
     "o>#"},
    {"request", "request requests",
     "One instruction of one warp that accesses memory: up to 32 lanes ask at once.",
     "########/>>>>>>>>/oooooooo"},
    {"sector", "sector sectors",
     "32 bytes, which is the smallest piece that the caches fetch: 8 numbers of 4 bytes.",
     "oooooooo/........"},
    {"coalesced", "coalesced coalescing",
     "Lanes that access neighbouring elements need few sectors: 32 numbers of 4 bytes in a row lie "
     "in 4 of "
     "them.",
     "########/>>>>>>>>/oooooooo"},
    {"bank", "bank banks",
     "Shared memory has 32 banks. Neighbouring words of 4 bytes lie in neighbouring banks, and "
     "each bank serves one word at a time.",
     "o.......>/o......."},
    {"bank conflict", "conflict conflicts",
     "Lanes of a warp ask for different words of one bank, which are served one after the other.",
     "x.../x.../x.../x..."},
    {"wavefront", "wavefront wavefronts",
     "One pass in which shared memory serves lanes of a request. Bank conflicts need several.",
     "##../..##"},
    {"divergence", "diverge diverges divergent divergence",
     "Lanes of a warp go different ways at a branch. The warp then executes one way after the "
     "other, "
     "each with the other lanes off.",
     "##../##../..##/..##"},
    {"predication", "predication predicated predicate predicates",
     "A condition that only decides whether an instruction takes effect in a lane. There is no "
     "branch, and the lanes stay together.",
     "#.#.#.#./########"},
    {"race", "race races racing",
     "Two threads access one place, one of them writes, and no barrier stands between: the result "
     "depends on who is first.",
     "#>x/#>x"},
    {"occupancy", "occupancy",
     "The warps that a multiprocessor holds at once, as a share of those that it could hold.",
     "######../######.."},
    {"bandwidth", "bandwidth", "Bytes that a memory moves in a second.", "oooo>>##"},
    {"FLOP/s", "flop/s tflop/s gflop/s",
     "Floating-point operations in a second. A multiplication and an addition count as two.",
     "##>o"},
    {"stream", "stream streams",
     "A queue of work for the GPU: launches, copies and events, one after the other. The CPU puts "
     "work into it and goes on.",
     "##>oo>##>"},
    {"event", "cudaeventrecord cudaeventelapsedtime",
     "A mark in a stream. The GPU notes the time at which it gets there.", "..!....!"},
    {"synchronisation", "synchronise synchronises synchronised cudadevicesynchronize",
     "The CPU waits until the GPU has done its work.", "##>o/---o"},
    {"percentile", "percentile percentiles p10 p90",
     "The 10th percentile (p10) of many samples is the value that a tenth of them are below. Nine "
     "tenths are below the 90th (p90), and half below the median.",
     "..####../.######./########"},
    {"arithmetic intensity", "intensity",
     "Floating-point operations for each byte that is moved (FLOP/B).", "####/o"},
    {"roofline", "roofline roof roofs",
     "The most FLOP/s that a kernel can reach: bandwidth times its intensity, and no more than the "
     "arithmetic units give.",
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
