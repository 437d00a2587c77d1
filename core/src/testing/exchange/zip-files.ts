/** ZIP archives byte by byte, so that each number in them can lie. */
import { crc32, deflateRawSync } from 'node:zlib';
import { type Bytes, concat, utf8 } from '../../crypto/bytes.ts';

export interface ZipPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly isStored?: boolean;
  /** General purpose bit flag. */
  readonly flags?: number;
  /** Of Unix: 0o120777 is a link. */
  readonly mode?: number;
  /** What the headers say instead of the truth. */
  readonly crc?: number;
  readonly packedSize?: number;
  readonly size?: number;
  /** Of the local header, as the list at the end has it. */
  readonly offset?: number;
}

export function zipOf(parts: readonly ZipPart[]): Bytes {
  const locals: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let at = 0;
  for (const part of parts) {
    const content = typeof part.content === 'string' ? utf8(part.content) : part.content;
    const packed = part.isStored === true ? content : deflateRawSync(content);
    const name = utf8(part.name);
    const shared = concat(
      u16(20, part.flags ?? 0x800, part.isStored === true ? 0 : 8, 0, 0x21),
      u32(part.crc ?? crc32(content), part.packedSize ?? packed.length, part.size ?? content.length),
      u16(name.length, 0),
    );
    const local = concat(u32(0x04034b50), shared, name, packed);
    central.push(
      concat(
        u32(0x02014b50),
        u16(0x0314),
        shared,
        u16(0, 0, 0),
        u32(((part.mode ?? 0o100644) << 16) >>> 0, part.offset ?? at),
        name,
      ),
    );
    locals.push(local);
    at += local.length;
  }
  const list = concat(...central);
  const end = concat(u32(0x06054b50), u16(0, 0, parts.length, parts.length), u32(list.length, at), u16(0));
  return concat(...locals, list, end);
}

const u16 = (...values: readonly number[]) =>
  Uint8Array.from(values.flatMap((value) => [value & 255, (value >>> 8) & 255]));
const u32 = (...values: readonly number[]) =>
  concat(...values.map((value) => Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24)));
