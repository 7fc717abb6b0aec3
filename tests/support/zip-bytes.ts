import { crc32, deflateRawSync } from "node:zlib";

/** One part of a package as it is written, with what its headers claim where that is not the truth. */
export type PackagePart = {
  name: string;
  text?: string | Uint8Array;
  /** Packed bytes as they are, instead of `text`. */
  packed?: Uint8Array;
  /** Claims of size, checksum, flags and method in the directory. */
  size?: number;
  packedSize?: number;
  crc?: number;
  flags?: number;
  method?: number;
  /** Name in the local header, where it differs. */
  localName?: string;
  /** The part shares the bytes of the one with this name. */
  over?: string;
};

/** A zip package of the parts, true or not. */
export function zipBytes(parts: readonly PackagePart[], end: { count?: number; offset?: number; comment?: string } = {}): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  const offsets = new Map<string, number>();
  let offset = 0;
  for (const part of parts) {
    const text = typeof part.text === "string" ? Buffer.from(part.text) : (part.text ?? Buffer.alloc(0));
    const packed = part.packed ?? (part.method === 0 ? text : deflateRawSync(text, { level: 9 }));
    const head = Buffer.alloc(30);
    const localName = Buffer.from(part.localName ?? part.name);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(part.flags ?? 0x0800, 6);
    head.writeUInt16LE(part.method ?? 8, 8);
    head.writeUInt32LE(part.crc ?? crc32(text), 14);
    head.writeUInt32LE(part.packedSize ?? packed.length, 18);
    head.writeUInt32LE(part.size ?? text.length, 22);
    head.writeUInt16LE(localName.length, 26);
    const entry = Buffer.alloc(46);
    const name = Buffer.from(part.name);
    entry.writeUInt32LE(0x02014b50, 0);
    head.copy(entry, 6, 4, 30);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(part.over === undefined ? offset : (offsets.get(part.over) ?? 0), 42);
    central.push(entry, name);
    offsets.set(part.name, offset);
    if (part.over !== undefined) continue;
    local.push(head, localName, Buffer.from(packed));
    offset += 30 + localName.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const tail = Buffer.alloc(22);
  tail.writeUInt32LE(0x06054b50, 0);
  tail.writeUInt16LE(end.count ?? parts.length, 8);
  tail.writeUInt16LE(end.count ?? parts.length, 10);
  tail.writeUInt32LE(directory.length, 12);
  tail.writeUInt32LE(end.offset ?? offset, 16);
  tail.writeUInt16LE(Buffer.byteLength(end.comment ?? ""), 20);
  return Buffer.concat([...local, directory, tail, Buffer.from(end.comment ?? "")]);
}

/** Deflate data of a text repeated: bombs are packed without ever being whole. */
export function packedRepeats(begin: string, unit: string, times: number, end: string): { packed: Buffer; size: number; crc: number } {
  const block = Buffer.from(unit.repeat(Math.max(1, Math.floor(4_194_304 / unit.length))));
  const perBlock = block.length / Buffer.byteLength(unit);
  const pieces: Buffer[] = [Buffer.from(begin)];
  for (let left = times; left > 0; left -= perBlock)
    pieces.push(left >= perBlock ? block : block.subarray(0, left * Buffer.byteLength(unit)));
  pieces.push(Buffer.from(end));
  let crc = 0;
  let size = 0;
  for (const piece of pieces) {
    crc = crc32(piece, crc);
    size += piece.length;
  }
  return { packed: deflateRawSync(Buffer.concat(pieces), { level: 6 }), size, crc };
}
