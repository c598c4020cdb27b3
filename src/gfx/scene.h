// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The contents of a matrix scene, as plain values. Code that builds a scene needs neither OpenGL
/// nor ImGui, and code that draws it knows nothing about kernels. The stages:
///
///     SceneModel  --arrange()-->  Layout  --buildLayers()-->  Layers  --Renderer::draw()--> pixels
///                                                               \--labelsOf() / hit()--> ImGui
///
/// Rebuild Layers only when the model, the viewport's size or the palette has changed; zooming,
/// panning and moving elements need no rebuild.
///
/// How a scene shows the steps of a matrix product:
///   load epoch      the tiles of M and N are Mark::now, earlier ones Mark::used; a link from each
///                   element to its slot; slots become written and fresh as their link arrives
///   compute step k  the tiles are Mark::used; column k of Mds and row k of Nds are fresh; a link
///                   from each of them to each thread that uses it; threads' terms grow
///   naive step k    CellMarks on the elements read, with their loads; links straight to threads;
///                   the same arrays, absent, so that both scenes line up
/// P's chosen block is Mark::chosen throughout. Layout::corner is free for a large figure.
namespace tilestep::gfx {

/// Values of a matrix, row-major; NaN if not written yet. If there are fewer values than elements
/// (level of detail), each value represents an area. Shared and immutable, so the address shows the
/// renderer whether a texture is still valid.
struct Picture {
  uint32_t rows = 0, columns = 0;
  std::vector<float> values;
};

/// Values of a matrix that is too large to be held as a whole, computed when they are visible.
/// Immutable.
class ValueSource {
 public:
  virtual ~ValueSource() = default;
  /// Reads `count` values of a row, starting at `column`, all inside the matrix. May be called from
  /// any thread.
  virtual void read(uint32_t row, uint32_t column, uint32_t count, float* out) const = 0;
};

/// The position of a matrix panel. left, top and product form the L of a matrix product. input (on
/// the left) and output (on the right) are for other kernels.
enum class PanelRole : uint8_t { left, top, product, input, output };

struct CellRect {
  uint32_t row = 0, column = 0, rows = 1, columns = 1;
  bool operator==(const CellRect&) const = default;
};

/// A part of a matrix in finer detail than its picture. Each value represents an equal rectangle of
/// the area, which may extend beyond the matrix's edges.
struct Detail {
  CellRect area;
  std::shared_ptr<const Picture> picture;  ///< Null if there is none.
  bool operator==(const Detail&) const = default;
};

/// Marks of cells; unmarked cells are dimmed.
/// chosen    in the chosen block (neutral outline)
/// now       accessed in this step (accent colour, glow and a double outline)
/// used      accessed in an earlier step (thin outline and full colour)
/// followed  belongs to the followed thread (dashed)
/// wrong     has a wrong value (warning colour and a mark)
enum class Mark : uint8_t { chosen, now, used, followed, wrong };

struct Highlight {
  CellRect area;
  Mark mark = Mark::now;
};

struct CellMark {
  uint32_t row = 0, column = 0;
  Mark mark = Mark::now;
  /// The number of accesses to this element in the step. If above 0, it is shown as "4×" in the
  /// matrix's header or, if elements differ, in the cell's corner.
  uint32_t loads = 0;
};

struct MatrixPanel {
  std::string name;  ///< "M"
  PanelRole role = PanelRole::left;
  uint32_t rows = 0, columns = 0;
  std::shared_ptr<const Picture> picture;  ///< If null, only outlines are drawn.
  Detail detail;                           ///< Drawn over the picture.
  /// Provides all values if the picture has fewer than the matrix. May be null.
  std::shared_ptr<const ValueSource> source;
  /// The reason why there are no values outside `detail` ("not computed here: ..."). If it is not
  /// empty, cells outside `detail` are hatched.
  std::string absent;
  std::string blank = "not written yet";   ///< Describes an element whose value is NaN.
  float low = -1, high = 1;                ///< The values at the ends of the colour map.
  uint32_t gridRows = 0, gridColumns = 0;  ///< Spacing of the tile grid; 0 for none.
  std::vector<Highlight> highlights;       ///< Later marks are drawn over earlier ones.
  std::vector<CellMark> cells;
  std::string note;  ///< Shown muted after name and dimensions: "block (0, 0)".
};

struct Slot {
  float value = 0;
  bool written = false;
  bool known = true;      ///< False if no step shows its value, as after an atomic operation.
  bool fresh = false;     ///< Written or read in this step; drawn in the accent colour.
  bool followed = false;  ///< Read by the followed thread; drawn dashed.
  bool hazard = false;    ///< Threads race for it; drawn in the warning colour with a mark.
  int warp = -1;          ///< The warp that wrote it; -1 if unknown.
  std::string origin;     ///< "M[2,5]", "0" for a zero fill; empty if unknown.
};

/// An enlarged shared array with one cell per slot; `slots` is row-major.
struct SlotArray {
  std::string name;  ///< "Mds"
  uint32_t rows = 0, columns = 0;
  std::vector<Slot> slots;
  float low = -1, high = 1;
  /// Draws a dashed empty frame with the note in it. A kernel without shared memory has such frames
  /// in place of the other kernel's arrays, so that both scenes are aligned.
  bool absent = false;
  std::string note;  ///< The reason why it is absent.
};

/// One thread's running sum.
struct Accumulator {
  float value = 0;
  uint32_t terms = 0;     ///< The terms added so far.
  uint32_t ofTerms = 0;   ///< The total number of terms; the cell fills from below.
  bool fresh = false;     ///< Changed in this step.
  bool followed = false;  ///< Belongs to the followed thread; drawn dashed.
  bool idle = false;      ///< The thread computes no output element; the cell is crossed out.
  int warp = -1;
};

/// Accumulators, one cell per thread (row ty, column tx), row-major. If a thread has several, each
/// has a separate cell, as explained by the note.
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
  uint32_t index = 0;  ///< The index of the panel, array or grid in the model.
  uint32_t row = 0, column = 0;
  bool operator==(const Place&) const = default;
};

/// A moving element: from global memory to a slot (load), from a slot to a thread (use), or
/// directly from global memory to a thread (a kernel without shared memory).
struct Link {
  Place from, to;
  int warp = -1;             ///< Determines the colour; -1 for muted.
  bool highlighted = false;  ///< Kept when lines are thinned out, and drawn in the accent colour.
};

/// All links between two areas as one band, for steps with too many links to tell apart.
struct Ribbon {
  struct End {
    Place::In in = Place::In::none;
    uint32_t index = 0;
    CellRect area;
  };
  End from, to;
  float share = 1;    ///< Its width as a fraction of the widest ribbon in all adjacent scenes.
  std::string label;  ///< "4,096 loads"; may be empty.
};

/// The elements that a few threads access in this step, enlarged: a dot for each element.
struct Sample {
  std::string caption, unit;  ///< "4 of 256 threads", "a dot: a load"
  bool fromGlobal = false;    ///< The dots are loads from global memory.
  uint32_t columns = 0;
  uint32_t most = 0;           ///< The largest number of dots of a thread in all adjacent scenes.
  std::vector<uint32_t> dots;  ///< The number of dots per thread, row-major.
};

struct SceneModel {
  std::string title;    ///< Shown above the scene: "matmul_tiled"; may be empty.
  std::string warning;  ///< Shown after the title: "wrong result: 12 of 16 elements"; may be empty.
  std::string caption;  ///< Shown muted after the title: "phase 1, second of 2 · load".
  std::vector<MatrixPanel> panels;
  std::vector<SlotArray> arrays;
  std::vector<ThreadGrid> threads;
  std::vector<Link> links;
  std::vector<Ribbon> ribbons;
  std::optional<Sample> sample;  ///< Drawn in the corner that a product leaves free.
  /// True if there are too many cells to show their values. Arrays and sums are then drawn in one
  /// colour each, and the step's accesses as areas.
  bool overview = false;
  /// A thread is followed, and everything that does not belong to it is drawn faintly.
  bool isolated = false;
  /// Counts are "?" in labels, and omitted from hover texts.
  bool countsCovered = false;
  /// Elements may move. Without motion, links are lines with arrow heads; at most 16 evenly
  /// distributed lines per pair of panels are strong.
  bool motion = true;
};

/// "4 × 4", for headers.
[[nodiscard]] std::string dimensions(uint32_t rows, uint32_t columns);

}  // namespace tilestep::gfx
