// SPDX-License-Identifier: Apache-2.0
#include "support/ladder_table.h"

#include <algorithm>
#include <cstdio>

#include "base/library_product.h"
#include "base/text_table.h"

namespace tilestep::bench {
namespace {

using Cells = std::vector<std::string>;
using Rows = std::vector<const LadderRow*>;

constexpr const char* kNone = "–";

std::string print(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Three significant digits of a time or a rate.
std::string three(double value) {
  return print(value < 1 ? "%.4f" : value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.1f", value);
}

std::string percent(const std::optional<double>& share) {
  return share ? print("%.1f %%", *share * 100) : kNone;
}

std::string nameOf(const LadderRow& row) {
  return row.isReference ? std::string(libraryTitle(row.kernel)) : row.kernel;
}

std::string line(const Cells& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string tableOf(const Cells& header, const std::vector<Cells>& rows, TableStyle style) {
  if (style == TableStyle::text) {
    TextTable table(header);
    for (const Cells& row : rows) table.add(row);
    return table.text("  ") + "\n";
  }
  std::string text = line(header) + "|---|";
  for (size_t i = 1; i < header.size(); ++i) text += "---:|";
  text += "\n";
  for (const Cells& row : rows) text += line(row);
  return text + "\n";
}

bool isFew(const LadderRow& row) {
  return row.tflops() && row.measurement->repetitions < kFewRepetitions;
}

std::string registersOf(const LadderRow& row) {
  if (!row.registers) return kNone;
  const bool spills = row.localBytes.value_or(0) > 0;
  return std::to_string(*row.registers) +
         (spills ? " + " + std::to_string(*row.localBytes) + " B local" : "");
}

std::string tunablesOf(const LadderRow& row) {
  if (row.tunables.empty()) return kNone;
  return toText(row.tunables) + (row.tunablesFrom.empty() ? "" : " (" + row.tunablesFrom + ")");
}

Cells cellsOf(const LadderRow& row, const LadderRecord& record, bool fp32) {
  const auto tflops = row.tflops();
  Cells cells{nameOf(row) + (isFew(row) ? " *" : "")};
  cells.push_back(tflops ? three(row.measurement->medianMs) : kNone);
  cells.push_back(tflops ? three(*tflops) : row.wrong ? "WRONG" : kNone);
  cells.push_back(percent(row.shareOfReference()));
  if (fp32) cells.push_back(percent(row.shareOfDefault()));
  if (fp32) cells.push_back(percent(row.shareOfCeiling(record.fp32FlopPerSecond)));
  const bool clocked = tflops && row.measurement->clockMhz;
  cells.push_back(clocked ? std::to_string(*row.measurement->clockMhz) : kNone);
  cells.push_back(registersOf(row));
  cells.push_back(row.check ? print("%.1e", row.check->scaledError) : kNone);
  cells.push_back(tunablesOf(row));
  return cells;
}

std::string notesOf(const Rows& rows) {
  std::string text;
  if (std::any_of(rows.begin(), rows.end(), [](const LadderRow* row) { return isFew(*row); })) {
    text += "* the median of fewer than " + std::to_string(kFewRepetitions) +
            " samples: of one that runs so long, fewer are taken.\n\n";
  }
  for (const LadderRow* row : rows) {
    if (row->isUnevenClock()) {
      text += nameOf(*row) + ": its share compares unlike clocks, " +
              std::to_string(*row->measurement->clockMhz) + " MHz with " +
              print("%.0f", *row->referenceMhz) +
              " MHz of the library's (a long measurement of what takes much power lowers it).\n\n";
    }
    if (!row->note.empty()) text += nameOf(*row) + ": " + row->note + "\n\n";
  }
  return text;
}

std::string title(const ProductSize& size) {
  const bool cube = size.m == size.n && size.n == size.k;
  return cube ? "m = n = k = " + std::to_string(size.m)
              : "m = " + std::to_string(size.m) + ", n = " + std::to_string(size.n) +
                    ", k = " + std::to_string(size.k);
}

Rows rowsOf(const LadderRecord& record, const ProductSize& size, bool fp32) {
  Rows rows;
  for (const LadderRow& row : record.rows) {
    if (row.size == size && row.isFp32() == fp32) rows.push_back(&row);
  }
  return rows;
}

std::vector<ProductSize> sizesOf(const LadderRecord& record) {
  std::vector<ProductSize> sizes;
  for (const LadderRow& row : record.rows) {
    if (std::find(sizes.begin(), sizes.end(), row.size) == sizes.end()) sizes.push_back(row.size);
  }
  return sizes;
}

std::string sizeTable(const LadderRecord& record, const ProductSize& size, bool fp32,
                      TableStyle style) {
  const Rows rows = rowsOf(record, size, fp32);
  if (rows.empty()) return "";
  std::vector<Cells> cells;
  for (const LadderRow* row : rows) cells.push_back(cellsOf(*row, record, fp32));
  Cells header = {fp32 ? "FP32" : "TF32", "median, ms", "TFLOP/s",
                  "of " + std::string(libraryTitle(fp32 ? kCublasFp32 : kCublasTf32))};
  if (fp32) {
    header.push_back("of " + std::string(libraryTitle(kCublasFp32Default)));
    header.emplace_back("of the FMA ceiling");
  }
  for (const char* name : {"clock, MHz", "registers", "scaled error", "tunables"})
    header.emplace_back(name);
  const std::string apart =
      fp32 ? ""
           : "Another precision: TF32 multiplies factors of 10 bits on tensor cores. Its figures "
             "stand beside no FP32 figure; its error shows the price.\n\n";
  return apart + tableOf(header, cells, style) + notesOf(rows);
}

/// The rate, and its shares of the library: "40.06 (103.8 %, 104.1 %) †".
std::string summaryCell(const LadderRow& row) {
  if (!row.tflops()) return row.wrong ? "WRONG" : kNone;
  std::string text = three(*row.tflops());
  const auto share = row.shareOfReference(), ofDefault = row.shareOfDefault();
  if (share) text += " (" + percent(share) + (row.isFp32() ? ", " + percent(ofDefault) : "") + ")";
  if (isFew(row)) text += " *";
  if (row.isTunedElsewhere()) text += " †";
  return text;
}

/// One line a kernel, a column a size.
std::string summary(const LadderRecord& record, const std::vector<ProductSize>& sizes, bool fp32,
                    TableStyle style) {
  Rows kernels;  // a row of each
  for (const LadderRow& row : record.rows) {
    const bool known = std::any_of(kernels.begin(), kernels.end(), [&](const LadderRow* other) {
      return other->kernel == row.kernel;
    });
    if (row.isFp32() == fp32 && !known) kernels.push_back(&row);
  }
  if (kernels.empty() || sizes.size() < 2) return "";
  Cells header{fp32 ? "FP32, TFLOP/s (of cuBLAS, pedantic; default)"
                    : "TF32, TFLOP/s (of cuBLAS TF32)"};
  for (const ProductSize& size : sizes) header.push_back(toText(size));
  std::vector<Cells> cells;
  for (const LadderRow* kernel : kernels) {
    Cells cellsOfKernel{nameOf(*kernel)};
    for (const ProductSize& size : sizes) {
      const auto at = std::find_if(record.rows.begin(), record.rows.end(), [&](const auto& row) {
        return row.kernel == kernel->kernel && row.size == size;
      });
      cellsOfKernel.push_back(at == record.rows.end() ? kNone : summaryCell(*at));
    }
    cells.push_back(std::move(cellsOfKernel));
  }
  const bool elsewhere = std::any_of(record.rows.begin(), record.rows.end(), [&](const auto& row) {
    return row.isFp32() == fp32 && row.isTunedElsewhere();
  });
  return tableOf(header, cells, style) +
         (elsewhere ? "† Tunables were not searched at this size; those of the nearest searched "
                      "size are used.\n\n"
                    : "");
}

}  // namespace

std::string toTables(const LadderRecord& record, TableStyle style) {
  const std::vector<ProductSize> sizes = sizesOf(record);
  std::string text = record.device + ", driver " + record.driver + ", " + record.date + "; " +
                     record.compiler + (record.library.empty() ? "" : "; " + record.library) +
                     "; seed " + std::to_string(record.seed) + "\n";
  if (record.fp32FlopPerSecond) {
    text += "FP32 multiply-add ceiling: " + three(*record.fp32FlopPerSecond / 1e12) +
            " TFLOP/s, the best of a few runs, " + record.ceilingOrigin + "\n";
  }
  text += "\n";
  for (const ProductSize& size : sizes) {
    text += (style == TableStyle::markdown ? "### " : "") + title(size) + "\n\n";
    text += sizeTable(record, size, true, style) + sizeTable(record, size, false, style);
  }
  return text + summary(record, sizes, true, style) + summary(record, sizes, false, style);
}

}  // namespace tilestep::bench
