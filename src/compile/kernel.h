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

/// Values of sizes (m, n, k, …) and tunables (TILE_WIDTH, …) by name.
using Bindings = std::map<std::string, int64_t>;

/// The sizes and tunables of a launch. Missing names have the kernel's defaults.
struct LaunchChoice {
  Bindings sizes, tunables;
  bool operator==(const LaunchChoice&) const = default;
};

/// One member of a structure that is passed by value.
struct FieldSpec {
  ElementType type = ElementType::i32;
  std::string value;    ///< An expression; empty for a pointer.
  std::string pointer;  ///< The operand whose address the field contains; empty for a number.
  int64_t offset = -1;  ///< Bytes; -1 for the C offset after the preceding member.
};

/// One kernel parameter (or constant symbol), in parameter order.
struct OperandSpec {
  std::string name;  ///< "M", "N", "P", "m", …
  OperandKind kind = OperandKind::buffer;
  ElementType type = ElementType::f32;
  Direction direction = Direction::in;
  Fill fill = Fill::random;
  std::string rows, columns;  ///< Expressions; empty if only `extent` is known.
  std::string extent;         ///< Expression: the number of elements.
  std::string value;          ///< Expression, for a scalar.
  /// For an output, an expression of the inputs for the correct value of element i. May be empty.
  std::string expect;
  std::vector<FieldSpec> fields;  ///< If a scalar is a structure, its members.
  int64_t align = 0;              ///< Of a structure, in bytes; 0 for its members' maximum.
  bool held = false;              ///< A buffer to which a member points; it is not a parameter.
};

struct TunableSpec {
  std::string name;
  int64_t defaultValue = 1;
  int64_t minimum = 1;
  int64_t maximum = 1;
  int64_t step = 1;
  std::vector<int64_t> values;     ///< If not empty, the only legal values, ascending.
  std::vector<std::string> names;  ///< A word for each value, or empty.
  std::string title;               ///< A short hint for the slider.
  std::string note;                ///< One sentence: what its plot of speed shows.
};

struct Rule {
  std::string expression;  ///< Nonzero if legal.
  std::string say;         ///< The message if illegal; may contain {EXPRESSION}.
};

struct LaunchSpec {
  std::string entry;               ///< If empty, KernelSpec::entry.
  std::vector<std::string> block;  ///< Up to three expressions: x, y, z.
  std::vector<std::string> grid;
  std::string dynamicSharedBytes;  ///< An expression; may be empty.
  bool cooperative = false;        ///< Blocks may wait for each other.
};

/// A shared array's shape, for display; traces do not depend on it.
struct SharedSpec {
  std::string name;
  std::string rows, columns;
  std::string holds;   ///< The operand whose elements it contains: "M".
  std::string offset;  ///< Bytes, if the array is part of a dynamic array; otherwise empty.
};

/// An assumption about something that the file does not specify.
struct Assumption {
  std::string what;   ///< "entry"
  std::string value;  ///< "matmul_tiled"
  int line = 0;       ///< The line in the .cu file; 0 if none.
  bool operator==(const Assumption&) const = default;
};

struct KernelSpec {
  std::string name;  ///< The file's stem: "matmul_tiled".
  std::string title;
  std::string summary;
  std::string entry;  ///< The function, with template arguments if it is a template.
  int entryLine = 0;  ///< The line of its name in the .cu file; 0 if unknown.
  std::vector<Assumption> assumed;
  std::vector<OperandSpec> operands;
  std::map<std::string, int64_t> sizes;  ///< Names and defaults.
  std::vector<std::string> sizeOrder;    ///< The names in the order of the front matter.
  std::vector<TunableSpec> tunables;
  std::vector<LaunchSpec> launches;
  std::vector<Rule> rules;
  std::vector<SharedSpec> shared;
  std::string operations;   ///< Expression: floating-point operations. May be empty.
  std::string phases;       ///< Expression: iterations of the phase loop. May be empty.
  int epochsPerPhase = 0;   ///< If 0, stepping is by epoch.
  int epochsBefore = 0;     ///< Barriers passed before the first phase.
  std::string phaseLength;  ///< Expression: values of k per phase. May be empty.
  std::string reference;    ///< "matmul" and others (lab/reference.h), or empty.
  std::string arch;         ///< If empty, compute_75, or higher with needsNewerGpu.
  /// The kernel uses features of compute capability 8.0, such as asynchronous copies. If `arch` is
  /// empty, it is compiled for compute_80 if the device supports this.
  bool needsNewerGpu = false;
  std::string elementsPerBlock;  ///< Expression, for the references "block_sums" and "block_scan".
  bool exercise = false;         ///< The user is to find a bug, so messages must not reveal it.
  /// The plan of a program's launch, whose sizes are fixed. Null for a kernel, which plan() plans.
  std::shared_ptr<const Plan> given;

  // Defined in kernel.cpp, because inline functions would be compiled in every file that uses them.
  KernelSpec();
  KernelSpec(const KernelSpec& other);
  KernelSpec(KernelSpec&& other) noexcept;
  KernelSpec& operator=(const KernelSpec& other);
  KernelSpec& operator=(KernelSpec&& other) noexcept;
  ~KernelSpec();
};

/// Whether the operand is filled before the launch, so that an `expect` expression may use it.
[[nodiscard]] bool isInput(const OperandSpec& operand);
/// Whether results can be checked: the kernel has a reference, or an operand has an `expect`.
[[nodiscard]] bool isCheckable(const KernelSpec& spec);

/// A kernel's source. The path is only for display.
struct KernelSource {
  std::string path;  ///< "kernels/matmul_tiled.cu", for errors and reports.
  std::string text;
  std::string frontMatter;  ///< The contents of FILE.toml, if `text` has no front matter.
  /// The `__global__` function that the user requested; if empty, settleEntries() chooses it.
  std::string entry = {};
  /// If this is the source of a whole program, the launch to show; null for a kernel.
  std::shared_ptr<const ProgramLaunch> launch = {};
};

/// The kernel's name in lists and choices: the file's stem, followed by the number of a program's
/// launch: "matmul_tiled", "hw1 #2".
[[nodiscard]] std::string nameOf(const KernelSource& source);

/// Reads the front matter of `source`. Errors contain file and line.
Result<KernelSpec> parseKernel(const KernelSource& source);

struct ResolvedOperand {
  OperandSpec spec;
  uint64_t rows = 0, columns = 0;  ///< 0 if only the extent is known.
  uint64_t elements = 0;
  double scalar = 0;           ///< For integer types, an integer up to 2^53.
  std::vector<double> fields;  ///< The same for a structure's members; 0 for pointers.
  /// If not null, the buffer's initial bytes, which replace `fill`.
  std::shared_ptr<const std::vector<std::byte>> contents;
};

/// A kernel with all expressions evaluated for given sizes and tunables.
struct Plan {
  Bindings bindings;  ///< All sizes and tunables, including defaults.
  Bindings sizes, tunables;
  std::vector<ResolvedOperand> operands;
  std::vector<Launch> launches;
  double operations = 0;
  int64_t phases = 0;
  int64_t phaseLength = 0;
  struct Shared {
    std::string name, holds;
    int64_t rows = 0, columns = 0, offset = -1;
    uint32_t elementBytes = 0;  ///< If 0, as in the operand `holds`.
  };
  std::vector<Shared> shared;
  int64_t elementsPerBlock = 0;  ///< As in KernelSpec; 0 if not specified.

  // Defined in kernel.cpp, because inline functions would be compiled in every file that uses them.
  Plan();
  Plan(const Plan& other);
  Plan(Plan&& other) noexcept;
  Plan& operator=(const Plan& other);
  Plan& operator=(Plan&& other) noexcept;
  ~Plan();
};

/// Computes the plan. Errors contain the invalid name or value, or the violated rule or limit, and
/// the nearest legal values. Expressions may use `limits` as SHARED_BYTES_MAX, THREADS_MAX,
/// SHARED_BYTES_STATIC and MULTIPROCESSORS.
Result<Plan> plan(const KernelSpec& spec, const Bindings& sizes, const Bindings& tunables,
                  const Limits& limits);

/// The folders that are searched for kernels, in this order: Tilestep's `folder`, its subfolder
/// ladder/, and the user's folder `own`, unless `own` is empty or equals `folder`.
std::vector<std::string> kernelFolders(const std::string& folder, const std::string& own);

/// A kernel file: either its spec or, if the file is invalid, its error.
struct CatalogueEntry {
  KernelSource source;
  std::optional<KernelSpec> spec;
  std::optional<Error> error;
};
/// All kernels in kernelFolders(), in the order of the folders and then of the names, without
/// hiddenKernels(). Their names are unique.
std::vector<CatalogueEntry> readCatalogue(const std::string& folder, const std::string& own = {});

/// The user's kernels that are not used because Tilestep has one of this name. Their errors say so.
std::vector<CatalogueEntry> hiddenKernels(const std::string& folder, const std::string& own);

/// Reads a kernel by its name in one of kernelFolders(), or by the path of a .cu file. Errors for
/// unknown names suggest the nearest name. The source's path of a user's kernel is its full path,
/// so that errors show where the file is.
Result<KernelSource> findKernel(const std::string& folder, const std::string& nameOrPath,
                                const std::string& own = {});

}  // namespace tilestep::compile
