// SPDX-License-Identifier: Apache-2.0
#include "ptx/debug/declarations.h"

#include <algorithm>
#include <map>

#include "ptx/debug/dwarf.h"

namespace tilestep::ptx {
namespace {

/// DWARF 4, section 7.5. Only the tags that are used.
enum Tag : uint32_t {
  kArray = 0x01,
  kClass = 0x02,
  kFormalParameter = 0x05,
  kMember = 0x0d,
  kPointer = 0x0f,
  kReference = 0x10,
  kStructure = 0x13,
  kTypedef = 0x16,
  kInheritance = 0x1c,
  kSubrange = 0x21,
  kBaseType = 0x24,
  kConstType = 0x26,
  kSubprogram = 0x2e,
  kVariable = 0x34,
  kVolatileType = 0x35,
  kRestrictType = 0x37,
};
enum Attribute : uint32_t {
  kName = 0x03,
  kByteSize = 0x0b,
  kAbstractOrigin = 0x31,
  kAddressClass = 0x33,
  kCount = 0x37,
  kMemberLocation = 0x38,
  kDeclarationLine = 0x3b,
  kEncoding = 0x3e,
  kSpecification = 0x47,
  kType = 0x49,
  kLinkageName = 0x6e,
  kUpperBound = 0x2f,
  kMipsLinkageName = 0x2007,
};
enum Encoding : uint64_t {
  kBoolean = 0x02,
  kFloating = 0x04,
  kSigned = 0x05,
  kSignedCharacter = 0x06,
  kUnsigned = 0x07,
  kUnsignedCharacter = 0x08,
};
/// The code of shared memory in the CUDA debugger's DWARF extensions.
constexpr uint64_t kSharedSpace = 8;
constexpr int kMostNesting = 32;

std::optional<ElementType> elementOf(uint64_t encoding, uint64_t bytes) {
  const bool isSigned = encoding == kSigned || encoding == kSignedCharacter;
  const bool isWhole =
      isSigned || encoding == kUnsigned || encoding == kUnsignedCharacter || encoding == kBoolean;
  if (encoding == kFloating && bytes == 4) return ElementType::f32;
  if (encoding == kFloating && bytes == 8) return ElementType::f64;
  if (!isWhole) return std::nullopt;
  if (bytes == 1) return isSigned ? ElementType::i8 : ElementType::u8;
  if (bytes == 4) return isSigned ? ElementType::i32 : ElementType::u32;
  if (bytes == 8) return isSigned ? ElementType::i64 : ElementType::u64;
  return std::nullopt;
}

/// In DWARF, half-precision types are structures from a CUDA header.
std::optional<ElementType> halfOf(const std::string& name) {
  if (name == "__half" || name == "half") return ElementType::f16;
  if (name == "__nv_bfloat16") return ElementType::bf16;
  return std::nullopt;
}

class Maker {
 public:
  explicit Maker(std::vector<DebugEntry> entries) : entries_(std::move(entries)) {
    made_.types.emplace_back();
    for (size_t i = 0; i < entries_.size(); ++i) {
      at_[entries_[i].offset] = i;
      if (i > 0) children_[entries_[i].parent].push_back(i);
    }
  }

  Declarations make() {
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].tag == kSubprogram) addKernel(i);
      if (entries_[i].tag == kVariable && !isIn(i, kSubprogram)) addVariable(i);
    }
    return std::move(made_);
  }

 private:
  /// The entry's string attribute or, if absent, that of the entry to which it refers.
  [[nodiscard]] std::string textOf(const DebugEntry& entry, uint32_t attribute) const {
    std::string own = entry.text(attribute);
    const DebugEntry* const first = origin(entry);
    return own.empty() && first != nullptr ? first->text(attribute) : own;
  }
  [[nodiscard]] std::optional<uint64_t> numberOf(const DebugEntry& entry,
                                                 uint32_t attribute) const {
    const auto own = entry.number(attribute);
    const DebugEntry* const first = origin(entry);
    return !own && first != nullptr ? first->number(attribute) : own;
  }
  [[nodiscard]] const DebugEntry* origin(const DebugEntry& entry) const {
    for (const uint32_t attribute : {kSpecification, kAbstractOrigin}) {
      const auto to = entry.number(attribute);
      const auto found = to ? at_.find(*to) : at_.end();
      if (found != at_.end() && &entries_[found->second] != &entry) return &entries_[found->second];
    }
    return nullptr;
  }
  [[nodiscard]] bool isIn(size_t entry, uint32_t tag) const {
    for (int i = 0; i < kMostNesting && entry != 0; ++i)
      if (entries_[entry = entries_[entry].parent].tag == tag) return true;
    return false;
  }

  [[nodiscard]] std::string linkageName(const DebugEntry& entry) const {
    std::string name = textOf(entry, kLinkageName);
    if (name.empty()) name = textOf(entry, kMipsLinkageName);
    return name.empty() ? textOf(entry, kName) : name;
  }

  DeclaredVariable variableOf(const DebugEntry& entry) {
    DeclaredVariable variable;
    variable.name = textOf(entry, kName);
    variable.line = static_cast<uint32_t>(numberOf(entry, kDeclarationLine).value_or(0));
    auto reference = numberOf(entry, kType);
    for (int i = 0; i < kMostNesting; ++i) {
      const auto found = reference ? at_.find(*reference) : at_.end();
      if (found == at_.end()) break;
      const DebugEntry& type = entries_[found->second];
      if (type.tag == kArray) {
        for (const size_t child : children_[found->second])
          if (entries_[child].tag == kSubrange) variable.extents.push_back(countOf(child));
      } else if (!isQualifier(type.tag) || !isArrayBehind(type)) {
        break;
      }
      reference = type.number(kType);
    }
    variable.type = typeOf(reference, 0);
    return variable;
  }
  [[nodiscard]] uint64_t countOf(size_t subrange) const {
    if (const auto count = entries_[subrange].number(kCount)) return *count;
    const auto bound = entries_[subrange].number(kUpperBound);
    return bound ? *bound + 1 : 0;
  }
  [[nodiscard]] static bool isQualifier(uint32_t tag) {
    return tag == kConstType || tag == kVolatileType || tag == kTypedef || tag == kRestrictType;
  }
  [[nodiscard]] bool isArrayBehind(const DebugEntry& qualifier) const {
    const DebugEntry* type = &qualifier;
    for (int i = 0; i < kMostNesting && isQualifier(type->tag); ++i) {
      const auto to = type->number(kType);
      const auto found = to ? at_.find(*to) : at_.end();
      if (found == at_.end()) return false;
      type = &entries_[found->second];
    }
    return type->tag == kArray;
  }

  void addKernel(size_t index) {
    const DebugEntry& entry = entries_[index];
    DeclaredKernel kernel;
    kernel.symbol = linkageName(entry);
    kernel.name = textOf(entry, kName);
    kernel.line = static_cast<uint32_t>(numberOf(entry, kDeclarationLine).value_or(0));
    if (kernel.symbol.empty() || entry.number(0x3c)) return;  // DW_AT_declaration: no body.
    collect(index, kernel);
    made_.kernels.push_back(std::move(kernel));
  }
  void collect(size_t index, DeclaredKernel& kernel) {
    for (const size_t child : children_[index]) {
      const DebugEntry& each = entries_[child];
      if (each.tag == kFormalParameter && each.parent == index)
        kernel.parameters.push_back(variableOf(each));
      else if (each.tag == kVariable && each.number(kAddressClass) == kSharedSpace)
        kernel.shared.push_back(variableOf(each));
      else if (each.tag == 0x0b)  // A lexical block.
        collectShared(child, kernel, 0);
    }
  }
  void collectShared(size_t index, DeclaredKernel& kernel, int depth) {
    if (depth > kMostNesting) return;
    for (const size_t child : children_[index]) {
      const DebugEntry& each = entries_[child];
      if (each.tag == kVariable && each.number(kAddressClass) == kSharedSpace)
        kernel.shared.push_back(variableOf(each));
      if (each.tag == 0x0b) collectShared(child, kernel, depth + 1);
    }
  }
  void addVariable(size_t index) {
    DeclaredVariable variable = variableOf(entries_[index]);
    if (const std::string symbol = linkageName(entries_[index]); !symbol.empty())
      variable.name = symbol;
    if (!variable.name.empty()) made_.variables.push_back(std::move(variable));
  }

  /// The index of the type in Declarations::types; adds the type if necessary.
  size_t typeOf(std::optional<uint64_t> reference, int depth) {
    DeclaredType none;
    if (!reference) {
      none.text = "void";
      return add(std::move(none));
    }
    const auto known = types_.find(*reference);
    if (known != types_.end()) return known->second;
    const auto found = at_.find(*reference);
    if (found == at_.end() || depth > kMostNesting) return 0;
    const size_t number = add({});
    types_[*reference] = number;
    DeclaredType type = make(found->second, depth);
    made_.types[number] = std::move(type);
    return number;
  }
  size_t add(DeclaredType type) {
    made_.types.push_back(std::move(type));
    return made_.types.size() - 1;
  }

  DeclaredType make(size_t index, int depth) {
    const DebugEntry& entry = entries_[index];
    DeclaredType type;
    type.text = entry.text(kName);
    type.bytes = entry.number(kByteSize).value_or(0);
    if (entry.tag == kBaseType) {
      type.kind = DeclaredType::Kind::number;
      type.element = elementOf(entry.number(kEncoding).value_or(0), type.bytes);
    } else if (entry.tag == kPointer || entry.tag == kReference) {
      type.kind = DeclaredType::Kind::pointer;
      type.bytes = 8;
      type.target = typeOf(entry.number(kType), depth + 1);
      const DeclaredType& target = made_.types[type.target];
      type.isConst = target.text.starts_with("const ");
      type.text = target.text + (entry.tag == kPointer ? " *" : " &");
    } else if (isQualifier(entry.tag)) {
      const size_t of = typeOf(entry.number(kType), depth + 1);
      const std::string name = type.text;
      type = made_.types[of];
      if (entry.tag == kConstType) type.text = "const " + type.text;
      if (entry.tag == kTypedef) {
        if (const auto half = halfOf(name)) type.element = half;
        type.text = name;
      }
    } else if (entry.tag == kStructure || entry.tag == kClass) {
      type.kind = DeclaredType::Kind::structure;
      type.element = halfOf(type.text);
      if (type.element) type.kind = DeclaredType::Kind::number;
      addMembers(index, depth, 0, type);
    }
    return type;
  }
  void addMembers(size_t index, int depth, uint64_t base, DeclaredType& type) {
    for (const size_t child : children_[index]) {
      const DebugEntry& each = entries_[child];
      const auto offset = memberOffset(each);
      if (!offset || depth > kMostNesting) continue;
      if (each.tag == kMember) {
        const DeclaredVariable member = variableOf(each);
        if (member.extents.empty())
          type.members.push_back({member.name, base + *offset, member.type});
        else
          addArray(member, base + *offset, type);
      } else if (each.tag == kInheritance) {
        const auto to = each.number(kType);
        const auto found = to ? at_.find(*to) : at_.end();
        if (found != at_.end()) addMembers(found->second, depth + 1, base + *offset, type);
      }
    }
  }
  /// Adds each element of an array as a separate member, such as "v[2]".
  void addArray(const DeclaredVariable& member, uint64_t offset, DeclaredType& type) {
    constexpr uint64_t kMost = 64;
    uint64_t count = 1;
    for (const uint64_t extent : member.extents) count *= std::min(extent, kMost + 1);
    const uint64_t bytes = made_.types[member.type].bytes;
    for (uint64_t i = 0; i < count && count <= kMost; ++i)
      type.members.push_back(
          {member.name + "[" + std::to_string(i) + "]", offset + i * bytes, member.type});
  }
  /// DWARF 2 and 3 encode the offset as DW_OP_plus_uconst N; later versions as a number.
  [[nodiscard]] static std::optional<uint64_t> memberOffset(const DebugEntry& entry) {
    if (const auto number = entry.number(kMemberLocation)) return number;
    const auto found = entry.blocks.find(kMemberLocation);
    if (found == entry.blocks.end() || found->second.size() < 2 || found->second[0] != 0x23)
      return std::nullopt;
    uint64_t value = 0;
    for (size_t i = 1; i < found->second.size() && i < 10; ++i)
      value |= uint64_t{found->second[i] & 127u} << (7 * (i - 1));
    return value;
  }

  std::vector<DebugEntry> entries_;
  std::map<uint64_t, size_t> at_;
  std::map<size_t, std::vector<size_t>> children_;
  std::map<uint64_t, size_t> types_;  ///< By the offset of the type's entry.
  Declarations made_;
};

}  // namespace

const DeclaredKernel* Declarations::kernel(std::string_view symbol) const {
  const auto found = std::ranges::find(kernels, symbol, &DeclaredKernel::symbol);
  return found == kernels.end() ? nullptr : &*found;
}

Declarations declarationsIn(std::string_view ptx) {
  return Maker(entriesOf(sectionsInComments(ptx))).make();
}

}  // namespace tilestep::ptx
