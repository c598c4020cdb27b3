// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// WHAT the matrix scene shows, as plain values. Who fills it needs no OpenGL and no ImGui; who
/// draws it knows no kernel. A picture of it, from top to bottom:
///
///     SceneModel  --arrange()-->  Layout  --buildLayers()-->  Layers  --Renderer::draw()--> pixels
///                                                               \--labelsOf() / hit()--> ImGui
///
/// Rebuild Layers only when model, viewport size or palette changed; zoom, pan and elements on
/// their way need no rebuild.
///
/// Steps of a tiled product, as the scene means them:
///   load epoch      the tiles of M and N are Mark::now, earlier ones Mark::used; a link from each
///                   element to its slot; slots become written and fresh as their link arrives
///   compute step k  the tiles are Mark::used; column k of Mds and row k of Nds are fresh; a link
///                   from each of them to each thread that uses it; threads' terms grow
///   naive step k    CellMarks on the elements read, with their readers; links straight to threads;
///                   the same arrays, absent, so that both scenes line up
/// P's chosen block is Mark::chosen throughout. Layout::corner is free for a large figure.
namespace tilestep::gfx {

/// Values of a matrix, row-major, perhaps fewer than the matrix has (level of detail: each stands
/// for an area). NaN: not written yet. Shared and never changed, so its address tells the
/// renderer whether its texture is still good.
struct Picture {
  uint32_t rows = 0, columns = 0;
  std::vector<float> values;
};

/// Values of a matrix that is too large to be held whole, made when they are looked at. Immutable.
class ValueSource {
 public:
  virtual ~ValueSource() = default;
  /// `count` values of a row from `column` on, all inside the matrix. Any thread.
  virtual void read(uint32_t row, uint32_t column, uint32_t count, float* out) const = 0;
};

/// Where a matrix panel stands. left, top, product make the L of a product; input and output are
/// for kernels that are no products: inputs left, outputs right.
enum class PanelRole : uint8_t { left, top, product, input, output };

/// Cells of a matrix.
struct CellRect {
  uint32_t row = 0, column = 0, rows = 1, columns = 1;
  bool operator==(const CellRect&) const = default;
};

/// A part of a matrix in finer detail than its picture; each value stands for an equal rectangle of
/// the area, which may reach over the matrix's far edges.
struct Detail {
  CellRect area;
  std::shared_ptr<const Picture> picture;  ///< Null: there is none.
  bool operator==(const Detail&) const = default;
};

/// chosen: the chosen block (neutral outline). now: what this step touches (accent, glows, also
/// marked by a double outline). used: touched in an earlier step (thin outline and full colour).
/// followed: of the thread that is followed (dashed). wrong: not what it should be (warning colour
/// and a sign). Cells without any of these are dimmed, so that the eye follows what happens.
enum class Mark : uint8_t { chosen, now, used, followed, wrong };

struct Highlight {
  CellRect area;
  Mark mark = Mark::now;
};

/// One cell in focus.
struct CellMark {
  uint32_t row = 0, column = 0;
  Mark mark = Mark::now;
  uint32_t readers = 0;  ///< Shown as "4x" in the cell's corner when above 0: how many threads
                         ///< read (or wrote) this element in this step.
};

struct MatrixPanel {
  std::string name;  ///< "M"
  PanelRole role = PanelRole::left;
  uint32_t rows = 0, columns = 0;
  std::shared_ptr<const Picture> picture;  ///< May be null: then only outlines.
  Detail detail;                           ///< Lies over the picture.
  /// Where the picture has fewer values than the matrix: all of them. May be null.
  std::shared_ptr<const ValueSource> source;
  /// Why there is nothing outside of `detail` ("not computed here: ..."), which is then hatched;
  /// empty where that is not so.
  std::string absent;
  float low = -1, high = 1;                ///< The values at the ends of the colour map.
  uint32_t gridRows = 0, gridColumns = 0;  ///< Spacing of the tile grid; 0 for none.
  std::vector<Highlight> highlights;       ///< Later ones lie above earlier ones.
  std::vector<CellMark> cells;
  std::string note;  ///< After name and dimensions, muted: "global memory".
};

/// One slot of a shared array.
struct Slot {
  float value = 0;
  bool written = false;
  bool fresh = false;     ///< Written or read in this step: accent.
  bool followed = false;  ///< Read by the thread that is followed: dashed.
  bool hazard = false;    ///< Threads race for it: warning colour and a sign.
  int warp = -1;          ///< Who wrote it; -1 unknown.
  std::string origin;     ///< "M[2,5]", "0" for a zero fill; empty unknown.
};

/// A shared array, enlarged, one cell a slot: `slots` is row-major, rows x columns.
struct SlotArray {
  std::string name;  ///< "Mds"
  uint32_t rows = 0, columns = 0;
  std::vector<Slot> slots;
  float low = -1, high = 1;
  bool absent = false;  ///< Draws a dashed empty frame with the note in it. A kernel without shared
                        ///< memory gets the same frames as the one beside it: both line up.
  std::string note;     ///< "shared memory", or for an absent one why there is none.
};

/// One thread's running sum.
struct Accumulator {
  float value = 0;
  uint32_t terms = 0;     ///< So far ...
  uint32_t ofTerms = 0;   ///< ... of how many: the cell fills from below.
  bool fresh = false;     ///< Changed in this step.
  bool followed = false;  ///< Belongs to the followed thread: dashed.
  bool idle = false;      ///< Its thread makes no element of the output: it stays empty.
  int warp = -1;
};

/// Accumulators, a cell a thread (row ty, column tx), row-major. Kernels with several a thread
/// give a cell each and say so in the note.
struct ThreadGrid {
  std::string name;  ///< "Pvalue"
  uint32_t rows = 0, columns = 0;
  std::vector<Accumulator> threads;
  float low = -1, high = 1;
  std::string note;  ///< "one a thread"
};

/// A cell in a panel, a shared array or a thread grid.
struct Place {
  enum class In : uint8_t { none, panel, array, threads };
  In in = In::none;
  uint32_t index = 0;  ///< Which panel, array or grid of the model.
  uint32_t row = 0, column = 0;
  bool operator==(const Place&) const = default;
};

/// A moving element: from global memory to a slot (load), from a slot to a thread (use), or
/// directly from global memory to a thread (a kernel without shared memory).
struct Link {
  Place from, to;
  int warp = -1;             ///< Colour; -1 muted.
  bool highlighted = false;  ///< Kept when lines are thinned out, drawn in accent.
};

struct SceneModel {
  std::string title;    ///< "matmul_tiled": over the scene; may be empty.
  std::string caption;  ///< Beside the title, muted: "phase ph 1, second of 2 · load".
  std::vector<MatrixPanel> panels;
  std::vector<SlotArray> arrays;
  std::vector<ThreadGrid> threads;
  std::vector<Link> links;
  /// Elements may travel. At rest there are still lines, and few: at most 16 or so a pair of
  /// panels, spread evenly, with arrow heads.
  bool motion = true;
};

/// "4 x 4" with a real multiplication sign, for headers.
[[nodiscard]] std::string dimensions(uint32_t rows, uint32_t columns);

}  // namespace tilestep::gfx
