import { inflateRawSync } from "node:zlib";
import { AppError } from "#lib/core/error.ts";
import { maxPackageParts, maxPackRatio, maxUnpackedBytes, ratioFromBytes } from "#lib/core/workbook-limits.ts";

export type ZipPart = { name: string; method: number; crc: number; packed: number; unpacked: number; offset: number };

const endMark = 0x06054b50;
const directoryMark = 0x02014b50;
const localMark = 0x04034b50;
const encrypted = 0x0001;

/** Whether the bytes begin as a zip package does. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes.length > 4 && bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;

/** Whether the bytes begin as the container of old and of password-protected workbooks does. */
export const isOldContainer = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;

/**
 * The parts of a package from its directory, before a byte of them is unpacked.
 * @throws AppError FILE_DAMAGED for what is cut off or contradicts itself, FILE_ENCRYPTED, FILE_BOMB for what would unpack to too much,
 * FILE_PARTS, FILE_UNSAFE for parts that share bytes or a name, or are named like places outside the package
 */
export function readZipDirectory(bytes: Buffer): ZipPart[] {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  // Packages beyond 65,535 parts or 4 GB are no workbooks anybody edits.
  if (count > maxPackageParts) throw new AppError("FILE_PARTS", { max: maxPackageParts });
  if (at >= end && count > 0) throw new AppError("FILE_DAMAGED");
  const directory = at;
  const parts: ZipPart[] = [];
  const names = new Set<string>();
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== directoryMark) throw new AppError("FILE_DAMAGED");
    const nameLength = bytes.readUInt16LE(at + 28);
    if ((bytes.readUInt16LE(at + 8) & encrypted) !== 0) throw new AppError("FILE_ENCRYPTED");
    const part: ZipPart = {
      name: bytes.toString("utf8", at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      unpacked: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    };
    total += part.unpacked;
    if (total > maxUnpackedBytes || (part.unpacked > ratioFromBytes && part.unpacked > part.packed * maxPackRatio))
      throw new AppError("FILE_BOMB", { max: maxUnpackedBytes, ratio: maxPackRatio });
    const name = part.name.toLowerCase();
    if (names.has(name) || leadsOutside(name)) throw new AppError("FILE_UNSAFE");
    names.add(name);
    parts.push(part);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  refuseShared(bytes, parts, directory);
  return parts;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters no name has.
const leadsOutside = (name: string): boolean => /^[/\\]|^[a-z]:|(^|[/\\])\.\.([/\\]|$)|[\u0000-\u001f]/.test(name);

// Parts that lie over one another unpack the same bytes again and again.
function refuseShared(bytes: Buffer, parts: readonly ZipPart[], directory: number): void {
  let end = 0;
  for (const part of [...parts].sort((left, right) => left.offset - right.offset)) {
    if (part.offset < end) throw new AppError("FILE_UNSAFE");
    const packed = packedBytes(bytes, part);
    end = packed.byteOffset - bytes.byteOffset + packed.length;
    if (end > directory) throw new AppError("FILE_DAMAGED");
  }
}

function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 65_557); at--) if (bytes.readUInt32LE(at) === endMark) return at;
  throw new AppError("FILE_DAMAGED");
}

/** The packed bytes of one part. */
export function packedBytes(bytes: Buffer, part: ZipPart): Buffer {
  if (part.offset + 30 > bytes.length || bytes.readUInt32LE(part.offset) !== localMark) throw new AppError("FILE_DAMAGED");
  const nameEnd = part.offset + 30 + bytes.readUInt16LE(part.offset + 26);
  if (bytes.toString("utf8", part.offset + 30, nameEnd) !== part.name) throw new AppError("FILE_DAMAGED");
  const from = nameEnd + bytes.readUInt16LE(part.offset + 28);
  if (from + part.packed > bytes.length) throw new AppError("FILE_DAMAGED");
  return bytes.subarray(from, from + part.packed);
}

/** One small part, unpacked; a part that grows beyond what the directory says is refused. */
export function readZipPart(bytes: Buffer, part: ZipPart): Buffer {
  const packed = packedBytes(bytes, part);
  if (part.method === 0) return packed;
  if (part.method !== 8) throw new AppError("FILE_DAMAGED");
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(part.unpacked, 1) });
  } catch {
    throw new AppError("FILE_DAMAGED");
  }
}
