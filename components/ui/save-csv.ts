"use client";
import { csvLine } from "#lib/core/inert-text.ts";

/** Gives rows to the person as a file of comma-separated values that a spreadsheet opens as it is. */
export function saveCsv(name: string, rows: readonly (readonly string[])[]): void {
  const text = `\uFEFF${rows.map(csvLine).join("\r\n")}`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
