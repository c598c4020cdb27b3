// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/element.h"
#include "base/launch.h"
#include "base/result.h"

/// A kernel file and its front matter; docs/kernels.md describes the format.
namespace tilestep::compile {

struct Plan;
struct ProgramLaunch;  // compile/program_source.h

/// Names and their integer values: sizes (m, n, k, …) and tunables (TILE_WIDTH, …).
using Bindings = std::map<std::string, int64_t>;

/// A launch as a file or the user specifies it; missing names have the kernel's defaults.
struct LaunchChoice {
  Bindings sizes, tunables;
  bool operator==(const LaunchChoice&) const = default;
};

/// One member of a structure that is passed by value.
struct FieldSpec {
  ElementType type = ElementType::i32;
  std::string value;    ///< An expression; empty for a pointer.
  std::string pointer;  ///< The operand whose address it contains; empty: a number.
  int64_t offset = -1;  ///< Bytes; -1: the C offset after the preceding member.
};

/// One kernel parameter (or constant symbol), in parameter order.
struct OperandSpec {
  std::string name;  ///< "M", "N", "P", "m", …
  OperandKind kind = OperandKind::buffer;
  ElementType type = ElementType::f32;
  Direction direction = Direction::in;
  Fill fill = Fill::random;
  std::string rows, columns;  ///< Expressions; rows is empty if only an extent is known.
  std::string extent;         ///< Expression; elements. Equals rows * columns if those are given.
  std::string value;          ///< Scalar: an expression.
  /// For an output: an expression for the correct value of element i, which may use the inputs; may
  /// be empty.
  std::string expect;
  std::vector<FieldSpec> fields;  ///< For a scalar: the members of a structure; empty: a number.
  int64_t align = 0;              ///< The structure's, in bytes; 0: the largest of its members'.
  bool held = false;              ///< A buffer that a member points to, not a parameter of its own.
};

struct TunableSpec {
  std::string name;
  int64_t defaultValue = 1;
  int64_t minimum = 1;
  int64_t maximum = 1;
  int64_t step = 1;
  std::vector<int64_t> values;     ///< If not empty, the only legal values, ascending.
  std::vector<std::string> names;  ///< A word for each value; empty: none.
  std::string title;               ///< A short hint for the slider.
  std::string note;                ///< The lesson of its speed plot, in one sentence.
};

struct Rule {
  std::string expression;  ///< Nonzero if legal.
  std::string say;         ///< One sentence about the violation; may contain {NAME} of a binding.
};

struct LaunchSpec {
  std::string entry;               ///< Empty: the kernel's.
  std::vector<std::string> block;  ///< Up to three expressions: x, y, z.
  std::vector<std::string> grid;
  std::string dynamicSharedBytes;  ///< Empty: none.
  bool cooperative = false;        ///< Its blocks may wait for each other.
};

/// A shared array's shape, for views; traces do not depend on it.
struct SharedSpec {
  std::string name;
  std::string rows, columns;
  std::string holds;   ///< The operand whose elements it contains: "M".
  std::string offset;  ///< Bytes, for slices of one dynamic array; empty: found by its symbol.
};

/// An assumption about something that the file does not specify.
struct Assumption {
  std::string what;   ///< "entry"
  std::string value;  ///< "matmul_tiled"
  int line = 0;       ///< The line in the .cu file; 0: none.
  bool operator==(const Assumption&) const = default;
};

struct KernelSpec {
  std::string name;  ///< The file's stem: "matmul_tiled".
  std::string title;
  std::string summary;
  std::string entry;  ///< The function, with template arguments if it is a template.
  int entryLine = 0;  ///< The line of its name in the .cu file; 0: unknown.
  std::vector<Assumption> assumed;
  std::vector<OperandSpec> operands;
  std::map<std::string, int64_t>
      sizes;  ///< Names and defaults, unordered; the window shows m, n, k first.
  std::vector<std::string> sizeOrder;
  std::vector<TunableSpec> tunables;
  std::vector<LaunchSpec> launches;
  std::vector<Rule> rules;
  std::vector<SharedSpec> shared;
  std::string operations;   ///< Floating-point operations, an expression; may be empty.
  std::string phases;       ///< Length of the phase loop; empty: none.
  int epochsPerPhase = 0;   ///< 0: stepping is by epoch.
  int epochsBefore = 0;     ///< Barriers passed before the first phase.
  std::string phaseLength;  ///< k covered by one phase, an expression; empty: none.
  std::string reference;    ///< As in lab/reference.h: "matmul"; empty: none.
  std::string arch;         ///< Empty: compute_75, or higher with needsNewerGpu.
  /// It uses features of compute capability 8.0 and later, such as asynchronous copies: without
  /// `arch` it is compiled for compute_80 if the device has that.
  bool needsNewerGpu = false;
  std::string
      elementsPerBlock;   ///< The elements per sum of "block_sums", or per block of "block_scan".
  bool exercise = false;  ///< A bug is to be found, so no message says what is missing.
  /// For a launch of a program, which has no other sizes and tunables: its plan. Null: a kernel,
  /// whose plan is computed by plan().
  std::shared_ptr<const Plan> given;

  // Defined in kernel.cpp: inline they would be compiled into every file that uses one.
  KernelSpec();
  KernelSpec(const KernelSpec& other);
  KernelSpec(KernelSpec&& other) noexcept;
  KernelSpec& operator=(const KernelSpec& other);
  KernelSpec& operator=(KernelSpec&& other) noexcept;
  ~KernelSpec();
};

/// Whether it is a buffer that is filled before the launch, which an `expect` may use.
[[nodiscard]] bool isInput(const OperandSpec& operand);
/// Whether results can be checked: the kernel names a reference, or an operand has an `expect`.
[[nodiscard]] bool isCheckable(const KernelSpec& spec);

/// The text of a kernel, which determines everything; the path is only for display.
struct KernelSource {
  std::string path;  ///< "kernels/matmul_tiled.cu": in errors and reports.
  std::string text;
  std::string frontMatter;  ///< The text of FILE.toml beside it, if its own text has none.
  /// The `__global__` function that the user requested; empty: front matter's, or the only one.
  std::string entry = {};
  /// A launch of a whole program, whose text this is; null: a kernel. Immutable.
  std::shared_ptr<const ProgramLaunch> launch = {};
};

/// The kernel's name in lists and choices: its file's stem, with the number if it is a program's
/// launch: "matmul_tiled", "hw1 #2".
[[nodiscard]] std::string nameOf(const KernelSource& source);

/// Reads the front matter of `source`. Errors name file and line.
Result<KernelSpec> parseKernel(const KernelSource& source);

struct ResolvedOperand {
  OperandSpec spec;
  uint64_t rows = 0, columns = 0;  ///< 0 if only the extent is known.
  uint64_t elements = 0;
  double scalar = 0;           ///< For integer types a whole number up to 2^53.
  std::vector<double> fields;  ///< A structure's members, likewise; 0 for pointers.
  /// The buffer's bytes, in the size of its elements, instead of its fill. Null: its fill.
  std::shared_ptr<const std::vector<std::byte>> contents;
};

/// A kernel with all expressions evaluated for given sizes and tunables.
struct Plan {
  Bindings bindings;  ///< Sizes and tunables, defaults filled in.
  Bindings sizes, tunables;
  std::vector<ResolvedOperand> operands;
  std::vector<Launch> launches;
  double operations = 0;
  int64_t phases = 0;
  int64_t phaseLength = 0;
  struct Shared {
    std::string name, holds;
    int64_t rows = 0, columns = 0, offset = -1;
    uint32_t elementBytes = 0;  ///< 0: as in the operand it holds.
  };
  std::vector<Shared> shared;
  int64_t elementsPerBlock = 0;  ///< For the references "block_sums" and "block_scan"; 0: not
                                 ///< specified.

  // Defined in kernel.cpp: inline they would be compiled into every file that uses one.
  Plan();
  Plan(const Plan& other);
  Plan(Plan&& other) noexcept;
  Plan& operator=(const Plan& other);
  Plan& operator=(Plan&& other) noexcept;
  ~Plan();
};

/// Computes the plan. An Error names the invalid name, range, rule or limit and the nearest legal
/// value. `limits` are also names in expressions: SHARED_BYTES_MAX, THREADS_MAX,
/// SHARED_BYTES_STATIC, MULTIPROCESSORS.
Result<Plan> plan(const KernelSpec& spec, const Bindings& sizes, const Bindings& tunables,
                  const Limits& limits);

/// The folders in which kernels are searched, in this order: `folder`, which comes with Tilestep,
/// its ladder/, and `own`, the user's. Subfolders are not searched. An empty `own`, or one that
/// equals `folder`, adds none.
std::vector<std::string> kernelFolders(const std::string& folder, const std::string& own);

/// Every kernel found, in the order of kernelFolders() and then of the names; an invalid file is
/// listed with its Error. Names are unique: hiddenKernels() are not listed.
struct CatalogueEntry {
  KernelSource source;
  std::optional<KernelSpec> spec;
  std::optional<Error> error;
};
std::vector<CatalogueEntry> readCatalogue(const std::string& folder, const std::string& own = {});

/// The user's files that are not used because a kernel that comes with Tilestep has the same name,
/// each with an Error that says so.
std::vector<CatalogueEntry> hiddenKernels(const std::string& folder, const std::string& own);

/// NAME in one of kernelFolders(), or a path to a .cu file. An unknown name is an Error that
/// suggests the nearest. The user's kernels have their full path, so that errors show where they
/// are.
Result<KernelSource> findKernel(const std::string& folder, const std::string& nameOrPath,
                                const std::string& own = {});

}  // namespace tilestep::compile
