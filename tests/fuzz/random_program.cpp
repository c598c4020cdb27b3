// SPDX-License-Identifier: Apache-2.0
#include "fuzz/random_program.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <string_view>

namespace tilestep::fuzz {
namespace {

/// R, L, H, F, D, P: a destination of 32, 64, 16 bits, f32, f64, predicate. Small letters are
/// sources; i is a small number, k any 32 bits. Everything else is literal.
constexpr std::string_view kForms[] = {
    "add.s32 R, r, r",
    "sub.u32 R, r, k",
    "mul.lo.s32 R, r, r",
    "mul.hi.u32 R, r, r",
    "mul.hi.s32 R, r, k",
    "mad.lo.s32 R, r, r, r",
    "mad.hi.u32 R, r, r, r",
    "div.s32 R, r, r",
    "div.u32 R, r, k",
    "rem.s32 R, r, k",
    "rem.u32 R, r, r",
    "neg.s32 R, r",
    "abs.s32 R, r",
    "min.s32 R, r, r",
    "max.u32 R, r, r",
    "and.b32 R, r, r",
    "or.b32 R, r, k",
    "xor.b32 R, r, r",
    "not.b32 R, r",
    "shl.b32 R, r, r",
    "shl.b32 R, r, i",
    "shr.u32 R, r, i",
    "shr.s32 R, r, r",
    "popc.b32 R, r",
    "clz.b32 R, r",
    "brev.b32 R, r",
    "bfind.u32 R, r",
    "bfe.u32 R, r, i, i",
    "bfe.s32 R, r, r, r",
    "bfi.b32 R, r, r, i, i",
    "prmt.b32 R, r, r, r",
    "selp.b32 R, r, r, p",
    "mov.b32 R, r",
    "mov.u32 R, k",
    "mov.b32 F, r",
    "mov.b32 R, f",
    "add.s64 L, l, l",
    "sub.s64 L, l, l",
    "mul.lo.s64 L, l, l",
    "mul.hi.u64 L, l, l",
    "mul.wide.s32 L, r, r",
    "mul.wide.u32 L, r, k",
    "mad.wide.s32 L, r, r, l",
    "div.s64 L, l, l",
    "rem.u64 L, l, l",
    "and.b64 L, l, l",
    "xor.b64 L, l, l",
    "shl.b64 L, l, i",
    "shr.s64 L, l, r",
    "popc.b64 R, l",
    "clz.b64 R, l",
    "min.u64 L, l, l",
    "max.s64 L, l, l",
    "selp.b64 L, l, l, p",
    "add.s16 H, h, h",
    "mul.lo.s16 H, h, h",
    "mul.wide.s16 R, h, h",
    "shr.u16 H, h, i",
    "max.s16 H, h, h",
    "cvt.u16.u32 H, r",
    "cvt.s32.s16 R, h",
    "cvt.u32.u8 R, r",
    "cvt.s32.s8 R, r",
    "cvt.u64.u32 L, r",
    "cvt.s64.s32 L, r",
    "cvt.u32.u64 R, l",
    "cvt.rn.f32.s32 F, r",
    "cvt.rz.f32.u32 F, r",
    "cvt.rn.f32.u64 F, l",
    "cvt.rzi.s32.f32 R, f",
    "cvt.rni.u32.f32 R, f",
    "cvt.rpi.s64.f32 L, f",
    "cvt.rmi.f32.f32 F, f",
    "cvt.f64.f32 D, f",
    "cvt.rn.f32.f64 F, d",
    "cvt.rzi.s32.f64 R, d",
    "cvt.rn.f64.s64 D, l",
    "cvt.sat.f32.f32 F, f",
    "add.rn.f32 F, f, f",
    "add.rz.ftz.f32 F, f, f",
    "sub.rn.f32 F, f, f",
    "mul.rn.f32 F, f, f",
    "mul.rm.f32 F, f, f",
    "fma.rn.f32 F, f, f, f",
    "fma.rp.ftz.f32 F, f, f, f",
    "div.rn.f32 F, f, f",
    "rcp.rn.f32 F, f",
    "sqrt.rn.f32 F, f",
    "min.f32 F, f, f",
    "max.ftz.f32 F, f, f",
    "neg.f32 F, f",
    "abs.ftz.f32 F, f",
    "copysign.f32 F, f, f",
    "selp.f32 F, f, f, p",
    "ex2.approx.ftz.f32 F, f",
    "lg2.approx.f32 F, f",
    "add.rn.f64 D, d, d",
    "mul.rn.f64 D, d, d",
    "fma.rn.f64 D, d, d, d",
    "div.rn.f64 D, d, d",
    "max.f64 D, d, d",
    "setp.lt.s32 P, r, r",
    "setp.ne.u32 P, r, k",
    "setp.ge.and.u32 P, r, r, p",
    "setp.gt.or.s64 P, l, l, !p",
    "setp.equ.f32 P, f, f",
    "setp.lt.ftz.f32 P, f, f",
    "setp.num.f64 P, d, d",
    "and.pred P, p, p",
    "xor.pred P, p, p",
    "not.pred P, p",
    "st.local.b32 [room+W], r",
    "ld.local.b32 R, [room+W]",
    "st.local.v2.f32 [room+V], {f, f}",
    "ld.local.v2.b32 {R, R}, [room+V]",
    "ld.local.s8 R, [room+B]",
    "ld.local.u16 H, [room+W]",
    "ld.global.nc.b32 R, [%in+W]",
    "ld.global.v4.f32 {F, F, F, F}, [%in+16]",
    "st.global.b32 [%out+W], r",
    "st.global.u8 [%out+B], r",
};

/// Statements of programs that are never run.
constexpr std::string_view kFlowForms[] = {
    "ld.param.u64 L, [out]",
    "ld.param.u32 R, [n]",
    "mov.u32 R, %tid.x",
    "mov.u32 R, %ctaid.y",
    "mov.u32 R, %laneid",
    "mov.u32 R, tile",
    "cvta.to.global.u64 L, l",
    "mad.lo.s32 R, r, i, r",
    "shl.b64 L, l, 2",
    "add.s64 L, l, 4",
    "add.s32 R, r, 1",
    "mad.wide.u32 L, r, 4, l",
    "mov.b64 L, {r, r}",
    "mov.b64 {R, R}, l",
    "setp.lt.s32 P|P, r, r",
    "add.cc.u32 R, r, r",
    "addc.u32 R, r, r",
    "ld.global.f32 F, [l]",
    "ld.f32 F, [l+W]",
    "ld.shared.f32 F, [r+W]",
    "ld.global.u64 L, [l]",
    "ldu.global.u32 R, [l]",
    "st.global.f32 [l], f",
    "st.shared.f32 [r], f",
    "st.global.v2.f32 [l], {f, f}",
    "red.global.add.f32 [l], f",
    "atom.global.add.u32 R, [l], r",
    "atom.global.cas.b32 R, [l], r, r",
    "shfl.sync.down.b32 R, r, i, 31, -1",
    "vote.sync.ballot.b32 R, p, -1",
    "cp.async.ca.shared.global [r], [l], 4",
    "bar.sync 0",
    "membar.gl",
    "trap",
    "exit",
    "ret",
    "nanosleep.u32 r",
    "call helper",
    "movmatrix.sync.aligned.m8n8.trans.b16 R, r",
    "wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 {D, D}, {d}, {d}, {d, d}",
    "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {F, F, F, F}, {r, r}, {r}, {f, f, f, f}",
};

constexpr int kRegisters = 8;
constexpr int kDepth = 3;

class Writer {
 public:
  explicit Writer(uint64_t number) : random_(number * 0x9e3779b97f4a7c15ULL + 1) {}

  std::string module() {
    text_ =
        ".version 8.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry fuzz(.param .u64 out, .param .u64 in) {\n"
        ".reg .b32 %r<8>; .reg .b64 %l<8>; .reg .b16 %h<8>; .reg .f32 %f<8>; .reg .f64 %d<8>;\n"
        ".reg .pred %p<8>; .reg .b32 %t<4>; .reg .b64 %out, %in, %at; .reg .b32 %trip<64>;\n"
        ".reg .pred %again;\n.local .align 16 .b8 room[64];\n";
    load();
    line(std::string(kBodyStart));
    block(12 + below(20), 0);
    line(std::string(kBodyEnd));
    line("LEAVE:");
    store();
    return text_ + "ret;\n}\n";
  }

  std::string flow() {
    text_ =
        ".version 8.0\n.target sm_80\n.address_size 64\n.func helper() { ret; }\n"
        ".visible .entry fuzz(.param .u64 out, .param .u64 in, .param .u32 n) {\n"
        ".reg .b32 %r<8>; .reg .b64 %l<8>; .reg .b16 %h<8>; .reg .f32 %f<8>; .reg .f64 %d<8>;\n"
        ".reg .pred %p<8>; .reg .b64 %out, %in;\n"
        ".local .align 16 .b8 room[64]; .shared .align 16 .b8 tile[1024];\n";
    const uint32_t size = below(5) == 0 ? below(4) : below(60);
    line("table: .branchtargets L0, L" + std::to_string(size) + ";");
    for (uint32_t i = 0; i < size; ++i) {
      const std::string guard = below(3) == 0 ? (below(2) ? "@!" : "@") + reg('p') + " " : "";
      line("L" + std::to_string(i) + ": " + guard + flowStatement(size) + ";");
    }
    return text_ + "L" + std::to_string(size) + ":" + (below(2) ? " ret;" : "") + "\n}\n";
  }

 private:
  std::string flowStatement(uint32_t size) {
    const uint32_t kind = below(20);
    if (kind < 5) return "bra L" + std::to_string(below(size + 1));
    if (kind == 5 && below(8) == 0) return "brx.idx " + reg('r') + ", table";
    const bool isOdd = kind < 14;
    return fill(isOdd ? kFlowForms[below(std::size(kFlowForms))]
                      : kForms[below(std::size(kForms))]);
  }

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  void line(const std::string& text) { text_ += text + "\n"; }
  std::string reg(char kind) {
    return "%" + std::string(1, kind) + std::to_string(below(kRegisters));
  }

  void load() {
    line("mov.u32 %t0, %ctaid.x; mov.u32 %t1, %ntid.x; mov.u32 %t2, %tid.x;");
    line("mad.lo.s32 %t0, %t0, %t1, %t2;");
    line("ld.param.u64 %out, [out]; ld.param.u64 %in, [in];");
    line("mul.wide.u32 %at, %t0, " + std::to_string(kThreadInput) + "; add.s64 %in, %in, %at;");
    line("mul.wide.u32 %at, %t0, " + std::to_string(kThreadOutput) + "; add.s64 %out, %out, %at;");
    for (int i = 0; i < kRegisters; ++i) {
      const std::string n = std::to_string(i);
      line("ld.global.b32 %r" + n + ", [%in+" + std::to_string(4 * i) + "];");
      line("ld.global.b64 %l" + n + ", [%in+" + std::to_string(32 + 8 * i) + "];");
      line("ld.global.b16 %h" + n + ", [%in+" + std::to_string(96 + 2 * i) + "];");
      line("mov.b32 %f" + n + ", %r" + n + "; mov.b64 %d" + n + ", %l" + n + ";");
      line("setp.lt.s32 %p" + n + ", %r" + n + ", 0;");
    }
  }

  void store() {
    for (int i = 0; i < kRegisters; ++i) {
      const std::string n = std::to_string(i);
      line("st.global.b32 [%out+" + std::to_string(4 * i) + "], %r" + n + ";");
      line("st.global.b32 [%out+" + std::to_string(32 + 4 * i) + "], %f" + n + ";");
      line("st.global.b64 [%out+" + std::to_string(64 + 8 * i) + "], %l" + n + ";");
      line("xor.b64 %l" + n + ", %l" + n + ", 0; mov.b64 %l" + n + ", %d" + n + ";");
      line("selp.b32 %r" + n + ", 1, 2, %p" + n + "; cvt.u32.u16 %t1, %h" + n + ";");
      line("xor.b32 %r" + n + ", %r" + n + ", %t1; cvt.u32.u64 %t2, %l" + n + ";");
      line("shr.u64 %l" + n + ", %l" + n + ", 32; cvt.u32.u64 %t3, %l" + n + ";");
      line("xor.b32 %t2, %t2, %t3; xor.b32 %r" + n + ", %r" + n + ", %t2;");
      line("st.global.b32 [%out+" + std::to_string(128 + 4 * i) + "], %r" + n + ";");
    }
  }

  void block(uint32_t statements, int depth) {
    for (uint32_t i = 0; i < statements; ++i) statement(depth);
  }

  void statement(int depth) {
    const uint32_t kind = depth < kDepth ? below(24) : 24;
    if (kind == 0) return branch(depth);
    if (kind == 1) return choice(depth);
    if (kind == 2) return loop(depth);
    if (kind == 3 && depth > 0 && below(4) == 0) return line("@" + reg('p') + " bra LEAVE;");
    if (kind == 4 && depth > 0 && below(8) == 0) return line("@!" + reg('p') + " ret;");
    const std::string guard =
        below(6) == 0 ? "@" + (below(2) ? "!" + reg('p') : reg('p')) + " " : "";
    line(guard + fill(kForms[below(std::size(kForms))]) + ";");
  }

  void branch(int depth) {
    const std::string end = "END" + std::to_string(labels_++);
    line("@" + reg('p') + " bra " + end + ";");
    block(1 + below(5), depth + 1);
    line(end + ":");
  }

  void choice(int depth) {
    const std::string n = std::to_string(labels_++);
    line("@!" + reg('p') + " bra ELSE" + n + ";");
    block(1 + below(5), depth + 1);
    line("bra.uni DONE" + n + ";\nELSE" + n + ":");
    block(1 + below(5), depth + 1);
    line("DONE" + n + ":");
  }

  /// One to eight iterations, chosen by the thread's own data; the body may exit early.
  void loop(int depth) {
    const std::string n = std::to_string(labels_++ % 64);
    const std::string label = n + "_" + std::to_string(labels_);
    line("and.b32 %trip" + n + ", " + reg('r') + ", 7;\nLOOP" + label + ":");
    block(1 + below(4), depth + 1);
    if (below(4) == 0) line("@" + reg('p') + " bra AFTER" + label + ";");
    block(below(3), depth + 1);
    line("setp.ne.s32 %again, %trip" + n + ", 0; sub.s32 %trip" + n + ", %trip" + n + ", 1;");
    line("@%again bra LOOP" + label + ";\nAFTER" + label + ":");
  }

  std::string fill(std::string_view form) {
    const size_t space = std::min(form.find(' '), form.size());
    std::string out(form.substr(0, space));
    for (size_t i = space; i < form.size(); ++i) {
      const bool inWord = form[i - 1] == '%' || (i > 0 && isalpha(form[i - 1]) != 0) ||
                          (i + 1 < form.size() && isalpha(form[i + 1]) != 0);
      out += inWord ? std::string(1, form[i]) : operand(form[i]);
    }
    return out;
  }

  std::string operand(char letter) {
    switch (letter) {
      case 'R':
      case 'L':
      case 'H':
      case 'F':
      case 'D':
      case 'P':
        return reg(static_cast<char>(letter - 'A' + 'a'));
      case 'r':
      case 'l':
      case 'h':
      case 'f':
      case 'd':
      case 'p':
        return reg(letter);
      case 'i':
        return std::to_string(below(40));
      case 'k':
        return number();
      case 'W':
        return std::to_string(4 * below(16));
      case 'V':
        return std::to_string(8 * below(8));
      case 'B':
        return std::to_string(below(64));
      default:
        return {letter};
    }
  }

  std::string number() {
    constexpr const char* kTelling[] = {"0",  "1",          "-1",         "2", "-2147483648",
                                        "31", "2147483647", "0xffffffff", "7", "255"};
    return below(2) == 0 ? kTelling[below(10)] : std::to_string(static_cast<int32_t>(random_()));
  }

  std::mt19937_64 random_;
  std::string text_;
  int labels_ = 0;
};

}  // namespace

std::string randomProgram(uint64_t number) {
  return Writer(number).module();
}

std::string randomFlow(uint64_t number) {
  return Writer(number).flow();
}

}  // namespace tilestep::fuzz
