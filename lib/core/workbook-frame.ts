import { posix } from "node:path";

export type SheetName = { name: string; hidden: boolean };

const tags = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])([^>]*)>`, "g"))].map(([, given = ""]) => given);

/** Names of the sheets of a workbook, in their order. */
export function sheetNames(workbook: string): SheetName[] {
  return tags(workbook, "sheet").map((given) => ({
    name: attribute(given, "name") ?? "",
    hidden: /^(hidden|veryHidden)$/.test(attribute(given, "state") ?? ""),
  }));
}

/** What a part refers to: a part of the package, wherever it lies. */
type Relation = { id: string; type: string; target: string };

/** What a workbook says it is made of. */
export function workbookRelations(relations: string): Relation[] {
  return tags(relations, "Relationship").map((given) => {
    const target = attribute(given, "Target") ?? "";
    return {
      id: attribute(given, "Id") ?? "",
      type: attribute(given, "Type") ?? "",
      target: posix.normalize(target.startsWith("/") ? target.slice(1) : `xl/${target}`),
    };
  });
}

/** The part a sheet lies in. */
export function sheetTarget(workbook: string, relations: readonly Relation[], sheet: string): string | undefined {
  const given = tags(workbook, "sheet").find((tag) => attribute(tag, "name") === sheet);
  const id = given === undefined ? undefined : attribute(given, "\\w+:id");
  return relations.find((one) => one.id === id && one.type.endsWith("/worksheet"))?.target;
}

/** Whether the days of a workbook are counted from 1904. */
export const countsFrom1904 = (workbook: string): boolean =>
  tags(workbook, "workbookPr").some((given) => /^(1|true)$/.test(attribute(given, "date1904") ?? ""));

/** By number of a cell's style whether it shows a date. */
export function dateStyles(styles: string): boolean[] {
  const codes = new Map(
    tags(styles, "numFmt").map((given) => [Number(attribute(given, "numFmtId")), attribute(given, "formatCode") ?? ""]),
  );
  const cells = /<(?:\w+:)?cellXfs\b[^>]*>([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(styles)?.[1] ?? "";
  return tags(cells, "xf").map((given) => {
    const id = Number(attribute(given, "numFmtId") ?? 0);
    return isDateFormat(id, codes.get(id));
  });
}

/**
 * Whether a format shows a date or a time: letters of either outside quotes, brackets and escapes.
 * @param id number of the format; those without a code are built in
 */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
  if (/\[(h+|m+|s+)\]/i.test(code)) return true;
  const plain = code.replace(/"[^"]*"|\\.|[*_].|\[[^\]]*\]/g, "");
  return !/^\s*general\s*$/i.test(plain) && /[ydhs]|mmm|a\/p/i.test(plain);
}

function attribute(given: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(given);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : unescapeXml(value);
}

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** A text of XML without its entities. */
export function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return named[name] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}
