// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "compile/kernel.h"

/// The rungs of kernels/ladder as the catalogue finds them, for tests of every rung.
namespace tilestep::support {

struct Rung {
  compile::KernelSource source;
  compile::KernelSpec spec;
};

/// Every rung that parses, sorted by name. `unreadable`, if given, receives the errors of the other
/// rungs.
std::vector<Rung> ladder(const std::string& home, std::vector<std::string>* unreadable = nullptr);
/// Only the rungs' names, for parameters of tests.
std::vector<std::string> ladderNames(const std::string& home);

/// Small tunables with which blocks share tiles; empty for a rung whose blocks never share tiles.
[[nodiscard]] std::vector<compile::Bindings> sharingTunables(const compile::KernelSpec& spec);
/// The names of the rungs whose blocks can share tiles.
std::vector<std::string> sharingNames(const std::string& home);
/// Up to `count` legal combinations of tunables: the defaults, then combinations drawn by a hash of
/// the kernel's name, which are the same on every machine.
std::vector<compile::Bindings> legalTunables(const compile::KernelSpec& spec, const Limits& limits,
                                             size_t count);

struct Shape {
  int64_t m = 1, n = 1, k = 1;
  [[nodiscard]] compile::Bindings sizes() const { return {{"m", m}, {"n", n}, {"k", k}}; }
};
/// "m=3 n=5 k=7 TILE_K=8", for messages of failed tests.
std::string toText(const compile::Bindings& sizes, const compile::Bindings& tunables);

/// Odd and even sizes around the widths of tiles, with every remainder of n and k modulo 4, and k =
/// 1.
inline constexpr std::array<Shape, 22> kOddShapes{{
    {1, 1, 1},     {1, 1, 1000},   {3, 5, 7},      {17, 1, 33},     {1, 300, 17},   {33, 17, 65},
    {32, 32, 32},  {65, 33, 3},    {127, 129, 1},  {129, 127, 2},   {128, 128, 16}, {130, 132, 36},
    {131, 66, 34}, {257, 131, 65}, {129, 257, 33}, {255, 1000, 17}, {1000, 3, 257}, {64, 258, 70},
    {3, 259, 71},  {66, 256, 127}, {33, 260, 128}, {257, 65, 1000},
}};

}  // namespace tilestep::support
