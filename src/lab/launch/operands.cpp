// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/operands.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string>

#include "base/figure.h"
#include "lab/elements.h"
#include "lab/launch/shape.h"
#include "ptx/debug/declarations.h"

namespace tilestep::lab {
namespace {

using compile::ResolvedOperand;
using device::ByteSpan;
using device::CapturedLaunch;
using device::MemoryRange;
using ptx::DeclaredType;

uint64_t bytesIn(const std::vector<ByteSpan>& spans, uint64_t begin, uint64_t end) {
  uint64_t bytes = 0;
  for (const ByteSpan& span : spans)
    if (span.begin < end && span.end > begin)
      bytes += std::min(span.end, end) - std::max(span.begin, begin);
  return bytes;
}

/// The interpretation of an operand's bytes as elements.
struct Layout {
  ElementType type = ElementType::u8;
  uint64_t perRow = 0;  ///< Elements per structure; 0 if the elements are not in structures.
  std::string note;     ///< A remark for the reader; may be empty.
};

/// The element type that all members of a structure share, as in float4.
std::optional<ElementType> onlyType(const DeclaredType& structure, const ptx::Declarations& all) {
  uint64_t bytes = 0;
  std::optional<ElementType> type;
  for (const DeclaredType::Member& member : structure.members) {
    const DeclaredType& of = all.types[member.type];
    if (of.kind != DeclaredType::Kind::number || !of.element || (type && type != of.element))
      return std::nullopt;
    type = of.element;
    bytes += of.bytes;
  }
  return bytes == structure.bytes ? type : std::nullopt;
}

Layout layoutOf(const DeclaredType& element, const ptx::Declarations& all) {
  if (element.kind == DeclaredType::Kind::pointer) return {ElementType::u64, 0, "addresses"};
  if (element.kind == DeclaredType::Kind::structure && element.bytes > 0) {
    if (const auto type = onlyType(element, all))
      return {*type, element.bytes / bytesOf(*type), "one " + element.text + " per row"};
    return {ElementType::u8, element.bytes, "the bytes of one " + element.text + " per row"};
  }
  if (element.element) return {*element.element, 0, {}};
  const bool isNumber = element.kind == DeclaredType::Kind::number;
  return {ElementType::u8, isNumber && element.bytes > 1 ? element.bytes : 0,
          isNumber ? "the bytes of " + element.text : "bytes of an unknown type"};
}

class Inference {
 public:
  explicit Inference(const CapturedLaunch& launch)
      : launch_(launch),
        entry_(*launch.module->find(launch.launch.entry)),
        declared_(ptx::declarationsIn(launch.ptx)),
        kernel_(declared_.kernel(entry_.name)),
        widths_(entry_) {
    if (kernel_ != nullptr && kernel_->parameters.size() != entry_.parameters.size())
      kernel_ = nullptr;
  }

  InferredLaunch make() {
    made_.spec.name = launch_.kernel;
    made_.spec.entry = launch_.launch.entry;
    made_.spec.entryLine = kernel_ != nullptr ? static_cast<int>(kernel_->line) : 0;
    made_.spec.title = launch_.kernel;
    made_.plan.launches = {launch_.launch};
    for (size_t i = 0; i < entry_.parameters.size(); ++i) findPointer(i);
    for (size_t i = 0; i < entry_.parameters.size(); ++i) addNumber(i);
    for (size_t i = 0; i < entry_.parameters.size(); ++i) addParameter(i);
    addHeld();
    addRest();
    addShared();
    for (const ResolvedOperand& operand : made_.plan.operands)
      made_.spec.operands.push_back(operand.spec);
    return std::move(made_);
  }

 private:
  /// A pointer that the launch passes to its kernel, as a parameter or in a structure.
  struct Pointer {
    std::string name;
    size_t parameter = 0;
    int range = -1;
    uint64_t offset = 0,
             bytes = 0;  ///< `bytes` counts up to the next pointer into the range, or to its end.
    size_t type = 0;     ///< Index of the type that it points to.
    bool isHeld = false;
    bool isConst = false;  ///< The source declares it const.
  };

  [[nodiscard]] uint64_t bitsAt(uint64_t offset, uint64_t bytes) const {
    uint64_t bits = 0;
    std::memcpy(&bits, launch_.parameters.data() + offset, std::min<uint64_t>(bytes, 8));
    return bits;
  }
  [[nodiscard]] std::string nameOf(size_t parameter) const {
    const bool isNamed = kernel_ != nullptr && !kernel_->parameters[parameter].name.empty();
    return isNamed ? kernel_->parameters[parameter].name
                   : "argument " + std::to_string(parameter + 1);
  }
  [[nodiscard]] const DeclaredType& typeOf(size_t parameter) const {
    return kernel_ != nullptr ? declared_.typeOf(kernel_->parameters[parameter])
                              : declared_.types.front();
  }
  [[nodiscard]] int rangeAt(uint64_t address) const {
    for (size_t i = 0; i < launch_.ranges.size(); ++i)
      if (launch_.ranges[i].holds(address)) return static_cast<int>(i);
    return -1;
  }

  void addPointer(const std::string& name, size_t parameter, uint64_t address,
                  const DeclaredType& type, bool isHeld) {
    const int range = rangeAt(address);
    if (range < 0) return;
    const uint64_t offset = address - launch_.ranges[static_cast<size_t>(range)].address;
    pointers_.push_back({name, parameter, range, offset, 0, type.target, isHeld, type.isConst});
  }

  void findPointer(size_t i) {
    const ptx::Parameter& parameter = entry_.parameters[i];
    const DeclaredType& type = typeOf(i);
    const bool isUnknown = type.kind == DeclaredType::Kind::unknown && parameter.bytes() == 8;
    if (type.kind == DeclaredType::Kind::pointer || isUnknown)
      addPointer(nameOf(i), i, bitsAt(parameter.offset, 8), type, false);
    if (type.kind == DeclaredType::Kind::structure)
      eachMember(type, nameOf(i), 0, [&](const std::string& name, uint64_t at, size_t of) {
        const DeclaredType& member = declared_.types[of];
        if (member.kind == DeclaredType::Kind::pointer && at + 8 <= parameter.bytes())
          addPointer(name, i, bitsAt(parameter.offset + at, 8), member, true);
      });
  }

  /// Calls visit(name, offset, type) for each number and pointer in a structure.
  template <class Visit>
  void eachMember(const DeclaredType& type, const std::string& name, uint64_t at,
                  const Visit& visit, int depth = 0) const {
    constexpr int kMostNesting = 8;
    for (const DeclaredType::Member& member : type.members) {
      const DeclaredType& of = declared_.types[member.type];
      const std::string full = name + "." + member.name;
      if (of.kind == DeclaredType::Kind::structure && depth < kMostNesting)
        eachMember(of, full, at + member.offset, visit, depth + 1);
      else
        visit(full, at + member.offset, member.type);
    }
  }

  void addNumber(size_t i) {
    const ptx::Parameter& parameter = entry_.parameters[i];
    const std::optional<ElementType> type = numberType(i);
    if (!type || isFloatingPoint(*type) || pointerOf(i) != nullptr) return;
    const auto value = static_cast<int64_t>(valueAt(*type, parameter.offset));
    numbers_.push_back({nameOf(i), value, parameter.name});
    if (value < 0 || kernel_ == nullptr) return;
    made_.plan.sizes[nameOf(i)] = made_.plan.bindings[nameOf(i)] = value;
    made_.spec.sizes[nameOf(i)] = value;
    made_.spec.sizeOrder.push_back(nameOf(i));
  }
  [[nodiscard]] std::optional<ElementType> numberType(size_t i) const {
    const DeclaredType& type = typeOf(i);
    if (type.kind == DeclaredType::Kind::number) return type.element;
    if (type.kind != DeclaredType::Kind::unknown) return std::nullopt;
    const ptx::Parameter& parameter = entry_.parameters[i];
    if (parameter.elements > 1) return std::nullopt;
    if (parameter.type == ptx::Type::f32) return ElementType::f32;
    if (parameter.type == ptx::Type::f64) return ElementType::f64;
    if (parameter.bytes() == 4) return ElementType::i32;
    if (parameter.bytes() == 8) return ElementType::u64;
    return std::nullopt;
  }
  [[nodiscard]] double valueAt(ElementType type, uint64_t offset) const {
    return elementAsDouble(type,
                           reinterpret_cast<const std::byte*>(launch_.parameters.data() + offset));
  }
  [[nodiscard]] const Pointer* pointerOf(size_t parameter) const {
    const auto found = std::ranges::find_if(pointers_, [&](const Pointer& each) {
      return each.parameter == parameter && !each.isHeld;
    });
    return found == pointers_.end() ? nullptr : &*found;
  }

  void addParameter(size_t i) {
    if (const Pointer* pointer = pointerOf(i)) return addBuffer(*pointer);
    ResolvedOperand operand;
    operand.spec.name = nameOf(i);
    operand.spec.kind = OperandKind::scalar;
    const DeclaredType& type = typeOf(i);
    const ptx::Parameter& parameter = entry_.parameters[i];
    if (type.kind == DeclaredType::Kind::structure) {
      addFields(type, parameter, operand);
    } else {
      operand.spec.type = numberType(i).value_or(ElementType::u64);
      const double value = parameter.bytes() >= bytesOf(operand.spec.type)
                               ? valueAt(operand.spec.type, parameter.offset)
                               : static_cast<double>(bitsAt(parameter.offset, parameter.bytes()));
      operand.scalar = std::isfinite(value) ? value : 0;
      operand.spec.value = std::to_string(operand.scalar);
    }
    add(std::move(operand), {});
  }

  void addFields(const DeclaredType& type, const ptx::Parameter& parameter,
                 ResolvedOperand& operand) {
    eachMember(type, operand.spec.name, 0, [&](const std::string& name, uint64_t at, size_t of) {
      const DeclaredType& member = declared_.types[of];
      compile::FieldSpec field;
      field.offset = static_cast<int64_t>(at);
      double value = 0;
      if (member.kind == DeclaredType::Kind::pointer) {
        const auto found = std::ranges::find(pointers_, name, &Pointer::name);
        field.type = ElementType::u64;
        if (found != pointers_.end()) field.pointer = name;
      } else if (member.element && at + member.bytes <= parameter.bytes()) {
        field.type = *member.element;
        value = valueAt(field.type, parameter.offset + at);
        if (!std::isfinite(value)) value = 0;
        field.value = std::to_string(value);
      } else {
        return;
      }
      operand.spec.fields.push_back(std::move(field));
      operand.fields.push_back(value);
    });
  }

  /// Adds the buffers whose pointers are in structures.
  void addHeld() {
    for (const Pointer& pointer : pointers_)
      if (pointer.isHeld) addBuffer(pointer);
  }

  /// Adds memory without a direct pointer: the module's variables, and memory that the launch
  /// reached through other memory.
  void addRest() {
    for (size_t i = 0; i < launch_.ranges.size(); ++i) {
      const MemoryRange& range = launch_.ranges[i];
      const bool isKnown = std::ranges::any_of(
          pointers_, [&](const Pointer& each) { return each.range == static_cast<int>(i); });
      const bool isUsed = !range.read.empty() || !range.written.empty() || isConstant(range);
      if (isKnown || !isUsed) continue;
      const auto variable =
          std::ranges::find(declared_.variables, range.symbol, &ptx::DeclaredVariable::name);
      const bool isDeclared = !range.symbol.empty() && variable != declared_.variables.end();
      addBuffer({range.name, 0, static_cast<int>(i), 0, range.bytes,
                 isDeclared ? variable->type : 0, true},
                isDeclared ? &*variable : nullptr);
    }
  }

  /// Whether the kernel uses the range as constant memory, whose reads are not recorded.
  [[nodiscard]] bool isConstant(const MemoryRange& range) const {
    const auto& variables = launch_.module->variables;
    const auto variable = std::ranges::find(variables, range.symbol, &ptx::Variable::name);
    if (variable == variables.end() || variable->space != ptx::Space::constant) return false;
    return std::ranges::any_of(entry_.body, [&](const ptx::Instruction& instruction) {
      return std::ranges::find(instruction.operands, range.symbol, &ptx::Operand::name) !=
             instruction.operands.end();
    });
  }

  /// The start of the next pointer into the same range, or the range's end.
  [[nodiscard]] uint64_t endOf(const Pointer& pointer) const {
    uint64_t end = launch_.ranges[static_cast<size_t>(pointer.range)].bytes;
    for (const Pointer& other : pointers_)
      if (other.range == pointer.range && other.offset > pointer.offset)
        end = std::min(end, other.offset);
    return end;
  }

  void addBuffer(const Pointer& pointer, const ptx::DeclaredVariable* variable = nullptr) {
    const MemoryRange& range = launch_.ranges[static_cast<size_t>(pointer.range)];
    const uint64_t bytes = endOf(pointer) - pointer.offset;
    const Layout layout = layoutOf(declared_.types[pointer.type], declared_);
    ResolvedOperand operand;
    operand.spec.name = unique(pointer.name);
    operand.spec.kind = range.symbol.empty() ? OperandKind::buffer : OperandKind::symbol;
    operand.spec.held = pointer.isHeld && range.symbol.empty();
    operand.spec.type = layout.type;
    operand.elements = bytes / bytesOf(layout.type);
    const std::string shape = shapeInto(operand, pointer, layout, variable);
    const std::string role =
        roleInto(operand, range, pointer.offset, pointer.offset + bytes, pointer.isConst);
    std::string value = shape + " " + std::string(toText(layout.type));
    if (!layout.note.empty()) value += " (" + layout.note + ")";
    // The range comes last, because the following line number is that of its allocation.
    value += ", " + role + "; " +
             (bytes == range.bytes
                  ? "all of " + range.name
                  : grouped(bytes) + " of the " + grouped(range.bytes) + " bytes of " + range.name);
    made_.spec.assumed.push_back(
        {"operand " + operand.spec.name, value, static_cast<int>(range.line)});
    add(std::move(operand), {pointer.range, pointer.offset});
  }

  /// Sets the operand's rows and columns. Returns them as text: "100 x 60 (M x K)".
  std::string shapeInto(ResolvedOperand& operand, const Pointer& pointer, const Layout& layout,
                        const ptx::DeclaredVariable* variable) {
    const auto set = [&](uint64_t rows, uint64_t columns, std::string rowsText,
                         std::string columnsText) {
      operand.rows = rows;
      operand.columns = columns;
      operand.elements = rows * columns;
      operand.spec.rows = std::move(rowsText);
      operand.spec.columns = std::move(columnsText);
      operand.spec.extent = "(" + operand.spec.rows + ")*(" + operand.spec.columns + ")";
      return grouped(rows) + " x " + grouped(columns);
    };
    if (variable != nullptr && variable->extents.size() > 1) {
      const uint64_t columns = variable->extents.back();
      if (columns > 0 && operand.elements % columns == 0)
        return set(operand.elements / columns, columns, std::to_string(operand.elements / columns),
                   std::to_string(columns));
    }
    const bool isParameter = !pointer.isHeld;
    const std::string& parameter =
        isParameter ? entry_.parameters[pointer.parameter].name : pointer.name;
    if (const auto shape = shapeOf(operand.elements, parameter, numbers_, widths_)) {
      const std::string text =
          set(static_cast<uint64_t>(shape->rows.value), static_cast<uint64_t>(shape->columns.value),
              shape->rows.name, shape->columns.name);
      return text + " (" + shape->rows.name + " x " + shape->columns.name +
             (shape->isAddressed ? ", from the strides of its addresses)" : ")");
    }
    if (layout.perRow > 0) {
      const uint64_t rows = operand.elements / layout.perRow;
      if (rows > 0)
        return set(rows, layout.perRow, std::to_string(rows), std::to_string(layout.perRow));
    }
    operand.spec.extent = std::to_string(operand.elements);
    const auto same = std::ranges::find_if(numbers_, [&](const Integer& number) {
      return number.value > 1 && static_cast<uint64_t>(number.value) == operand.elements;
    });
    if (same == numbers_.end()) return grouped(operand.elements);
    operand.spec.extent = same->name;
    return grouped(operand.elements) + " (" + same->name + ")";
  }

  /// Sets the operand's direction and returns it in words. It follows from the observed accesses to
  /// bytes [begin, end) of the range; if these are unknown, from the source's declarations.
  std::string roleInto(ResolvedOperand& operand, const MemoryRange& range, uint64_t begin,
                       uint64_t end, bool isConst) const {
    const uint64_t read = bytesIn(range.read, begin, end);
    const uint64_t written = bytesIn(range.written, begin, end);
    if (isConstant(range)) {
      operand.spec.direction = Direction::in;
      return "constant memory";
    }
    if (!launch_.knowsAccesses) {
      operand.spec.direction = isConst ? Direction::in : Direction::inout;
      return isConst ? "const, so it is not written" : "perhaps written";
    }
    operand.spec.direction = written == 0 ? Direction::in
                             : read == 0  ? Direction::out
                                          : Direction::inout;
    if (read == 0 && written == 0) return "the launch does not use it";
    return written == 0 ? "read" : read == 0 ? "written" : "read and written";
  }

  std::string unique(const std::string& name) {
    const size_t count = ++names_[name];
    return count == 1 ? name : name + " (" + std::to_string(count) + ")";
  }

  void add(ResolvedOperand operand, View view) {
    made_.plan.operands.push_back(std::move(operand));
    made_.views.push_back(view);
  }

  void addShared() {
    if (kernel_ == nullptr) return;
    for (const ptx::DeclaredVariable& array : kernel_->shared) {
      uint64_t elements = 1;
      for (const uint64_t extent : array.extents) elements *= extent;
      const uint64_t bytes = declared_.typeOf(array).bytes;
      const uint64_t columns = array.extents.empty() ? 1 : array.extents.back();
      if (elements == 0 || columns == 0 || bytes == 0) continue;
      compile::Plan::Shared shared;
      shared.name = array.name;
      shared.rows = static_cast<int64_t>(elements / columns);
      shared.columns = static_cast<int64_t>(columns);
      shared.elementBytes = static_cast<uint32_t>(bytes);
      made_.plan.shared.push_back(std::move(shared));
    }
  }

  const CapturedLaunch& launch_;
  const ptx::Function& entry_;
  ptx::Declarations declared_;
  const ptx::DeclaredKernel* kernel_;
  RowWidths widths_;
  std::vector<Pointer> pointers_;
  std::vector<Integer> numbers_;
  std::map<std::string, size_t> names_;
  InferredLaunch made_;
};

}  // namespace

InferredLaunch inferLaunch(const CapturedLaunch& launch) {
  return Inference(launch).make();
}

}  // namespace tilestep::lab
