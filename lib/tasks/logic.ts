import { importKinds } from "#lib/imports/limits.ts";
import { commonEndings, type UploadType, uploadTypes } from "./limits.ts";

/**
 * What a file is by the ending of its name, or null when the import does not take it.
 * @param kind kind of import the file is for; without one only workbooks are taken
 */
export function uploadType(name: string, kind: string | undefined): UploadType | null {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (!Object.hasOwn(uploadTypes, ending)) return null;
  const taken: readonly string[] =
    kind !== undefined && Object.hasOwn(importKinds, kind) ? importKinds[kind as keyof typeof importKinds].endings : commonEndings;
  return taken.includes(ending) ? (ending as UploadType) : null;
}

const zipMark = [0x50, 0x4b, 0x03, 0x04];

/** Whether the first bytes of a file are what its ending says: a workbook is a zip package, a csv file is text. */
export function beginsAs(type: UploadType, first: Uint8Array): boolean {
  const zip = zipMark.every((byte, index) => first[index] === byte);
  return uploadTypes[type].begins === "zip" ? zip : !zip && first.length > 0 && !first.includes(0);
}

/** `Content-Disposition` of a download: the name as it is for today's browsers, and in plain letters for others. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
