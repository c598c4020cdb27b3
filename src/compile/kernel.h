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

/// A launch as a file or a person names it; what is missing takes the kernel's defaults.
struct LaunchChoice {
  Bindings sizes, tunables;
  bool operator==(const LaunchChoice&) const = default;
};

/// One member of a structure that is passed by value.
struct FieldSpec {
  ElementType type = ElementType::i32;
  std::string value;    ///< An expression; empty for a pointer.
  std::string pointer;  ///< The operand whose address it holds; empty: a number.
  int64_t offset = -1;  ///< Bytes; -1: where C puts it behind the member before.
};

/// One kernel parameter (or constant symbol), in parameter order.
struct OperandSpec {
  std::string name;  ///< "M", "N", "P", "m", …
  OperandKind kind = OperandKind::buffer;
  ElementType type = ElementType::f32;
  Direction direction = Direction::in;
  Fill fill = Fill::random;
  std::string rows, columns;  ///< Expressions; rows empty where only an extent is known.
  std::string extent;         ///< Expression; elements. Set from rows * columns where those are.
  std::string value;          ///< Scalar: an expression.
  /// Output: what element i must be, an expression that may use the inputs; may be empty.
  std::string expect;
  std::vector<FieldSpec> fields;  ///< Scalar: the members of a structure; empty: a number.
  int64_t align = 0;              ///< The structure's, bytes; 0: the largest of its members'.
  bool held = false;              ///< A buffer that a member points to: no parameter of its own.
};

struct TunableSpec {
  std::string name;
  int64_t defaultValue = 1;
  int64_t minimum = 1;
  int64_t maximum = 1;
  int64_t step = 1;
  std::vector<int64_t> values;     ///< When not empty: only these, ascending.
  std::vector<std::string> names;  ///< A word for each value; empty: none.
  std::string title;               ///< Few words for the slider's hint.
  std::string note;                ///< The lesson of its line of speeds, in a sentence.
};

struct Rule {
  std::string expression;  ///< Non-zero when legal.
  std::string say;         ///< One sentence for who broke it; may hold {NAME} of a binding.
};

struct LaunchSpec {
  std::string entry;               ///< Empty: the kernel's.
  std::vector<std::string> block;  ///< Up to three expressions: x, y, z.
  std::vector<std::string> grid;
  std::string dynamicSharedBytes;  ///< Empty: none.
  bool cooperative = false;        ///< Its blocks may wait for each other.
};

/// A shared array's shape, for views; what the trace shows does not depend on it.
struct SharedSpec {
  std::string name;
  std::string rows, columns;
  std::string holds;   ///< Which operand's elements it holds: "M".
  std::string offset;  ///< Bytes, for slices of one dynamic array; empty: by its symbol.
};

/// Something that the file does not say, and what is taken instead.
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
  std::string entry;  ///< The function, with its arguments where it is a template.
  int entryLine = 0;  ///< The line of its name in the .cu file; 0: unknown.
  std::vector<Assumption> assumed;
  std::vector<OperandSpec> operands;
  std::map<std::string, int64_t>
      sizes;  ///< Names and defaults, in no order; m, n, k first on screen.
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
  std::string arch;         ///< Empty: compute_75, or what needsNewerGpu asks for.
  /// It names what GPUs have from compute capability 8.0 on, such as asynchronous copies: without
  /// `arch` it is compiled for compute_80 where the device has that.
  bool needsNewerGpu = false;
  std::string
      elementsPerBlock;   ///< The elements of one sum of "block_sums" or a block of "block_scan".
  bool exercise = false;  ///< A bug is to be found: nothing says what is missing.
  /// Of a program's launch, which has no other sizes and tunables: its plan. Null: it is a kernel,
  /// which plan() works out.
  std::shared_ptr<const Plan> given;

  // In kernel.cpp alone: inline they would be compiled into every file that holds one.
  KernelSpec();
  KernelSpec(const KernelSpec& other);
  KernelSpec(KernelSpec&& other) noexcept;
  KernelSpec& operator=(const KernelSpec& other);
  KernelSpec& operator=(KernelSpec&& other) noexcept;
  ~KernelSpec();
};

/// Whether it is a buffer that is filled before the launch, which an `expect` may use.
[[nodiscard]] bool isInput(const OperandSpec& operand);
/// Whether results can be checked: the kernel names a reference, or says what an operand must hold.
[[nodiscard]] bool isCheckable(const KernelSpec& spec);

/// A kernel as it travels: the text decides everything, the path is for people.
struct KernelSource {
  std::string path;  ///< "kernels/matmul_tiled.cu": in errors and reports.
  std::string text;
  std::string frontMatter;  ///< The text of FILE.toml beside it, if its own text has none.
  /// The `__global__` function that a person asked for; empty: front matter's, or the only one.
  std::string entry = {};
  /// A launch of a whole program, of which this is the text; null: a kernel. Never changes.
  std::shared_ptr<const ProgramLaunch> launch = {};
};

/// The kernel's name in lists and choices: its file's stem, with the number of the launch
/// where it is one: "matmul_tiled", "hw1 #2".
[[nodiscard]] std::string nameOf(const KernelSource& source);

/// Reads the front matter of `source`. Errors name file and line.
Result<KernelSpec> parseKernel(const KernelSource& source);

struct ResolvedOperand {
  OperandSpec spec;
  uint64_t rows = 0, columns = 0;  ///< 0 when only the extent is known.
  uint64_t elements = 0;
  double scalar = 0;           ///< For integer types a whole number up to 2^53.
  std::vector<double> fields;  ///< A structure's members, likewise; 0 for pointers.
  /// The buffer's bytes, as many as its elements have, in place of its fill. Null: its fill.
  std::shared_ptr<const std::vector<std::byte>> contents;
};

/// A kernel with every expression worked out for given sizes and tunables.
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
    uint32_t elementBytes = 0;  ///< 0: those of what it holds.
  };
  std::vector<Shared> shared;
  int64_t elementsPerBlock = 0;  ///< For "block_sums", "block_scan"; 0: none is named.

  // In kernel.cpp alone: inline they would be compiled into every file that holds one.
  Plan();
  Plan(const Plan& other);
  Plan(Plan&& other) noexcept;
  Plan& operator=(const Plan& other);
  Plan& operator=(Plan&& other) noexcept;
  ~Plan();
};

/// Works out the plan, or says which name, range, rule or limit is in the way and what the nearest
/// legal value is. `limits` are also names in expressions: SHARED_BYTES_MAX, THREADS_MAX,
/// SHARED_BYTES_STATIC, MULTIPROCESSORS.
Result<Plan> plan(const KernelSpec& spec, const Bindings& sizes, const Bindings& tunables,
                  const Limits& limits);

/// The folders that are searched for kernels, in this order: `folder`, which comes with Tilestep,
/// its ladder/, and `own`, the user's; subfolders are not searched. An empty `own`, or one that is
/// `folder` itself, adds none.
std::vector<std::string> kernelFolders(const std::string& folder, const std::string& own);

/// Every kernel found, in the order of kernelFolders() and then of the names; a file that does not
/// parse is listed with its Error. A name belongs to one kernel: hiddenKernels() are not listed.
struct CatalogueEntry {
  KernelSource source;
  std::optional<KernelSpec> spec;
  std::optional<Error> error;
};
std::vector<CatalogueEntry> readCatalogue(const std::string& folder, const std::string& own = {});

/// The user's files that are not used because a kernel that comes with Tilestep has the same name,
/// each with an Error that says so.
std::vector<CatalogueEntry> hiddenKernels(const std::string& folder, const std::string& own);

/// NAME in one of kernelFolders(), or a path to a .cu file. Unknown: an Error that names the
/// nearest. The user's kernels have their full path, so that errors say where they lie.
Result<KernelSource> findKernel(const std::string& folder, const std::string& nameOrPath,
                                const std::string& own = {});

}  // namespace tilestep::compile
