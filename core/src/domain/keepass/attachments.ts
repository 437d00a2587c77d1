import { type Bytes, concat, decodeBase64 } from '../../crypto/bytes.ts';
import { KeepassError } from './errors.ts';
import { KEEPASS_LIMITS as LIMITS } from './limits.ts';
import type { PackedAttachment, RawBinary } from './raw.ts';

export interface Attachments {
  has(binary: RawBinary): boolean;
  /** Counts towards the limit on each use. @throws KeepassError */
  read(binary: RawBinary): Promise<Bytes>;
}

export function attachmentsOf(pool: ReadonlyMap<string, PackedAttachment>): Attachments {
  const unpacked = new Map<string, Bytes>();
  let total = 0;
  const counted = (bytes: Bytes) => {
    total += bytes.length;
    if (total > LIMITS.attachments) throw KeepassError.unreadable('the attachments together are too large');
    return bytes;
  };
  return {
    has: ({ ref }) => ref === null || pool.has(ref),
    async read({ ref, packed }) {
      const known = ref === null ? undefined : unpacked.get(ref);
      if (known !== undefined) return counted(known);
      const source = ref === null ? packed : pool.get(ref);
      if (source === undefined) throw KeepassError.unreadable('an attachment is missing');
      const bytes = await unpack(source);
      if (ref !== null) unpacked.set(ref, bytes);
      return counted(bytes);
    },
  };
}

async function unpack({ text, isCompressed }: PackedAttachment): Promise<Bytes> {
  const packed = decode(text);
  const bytes = isCompressed ? await gunzip(packed) : packed;
  if (bytes.length > LIMITS.attachment) throw KeepassError.unreadable('an attachment is too large');
  return bytes;
}

function decode(text: string): Bytes {
  try {
    return decodeBase64(/\s/.test(text) ? text.replaceAll(/\s/g, '') : text);
  } catch {
    throw KeepassError.unreadable('an attachment is damaged');
  }
}

async function gunzip(packed: Bytes): Promise<Bytes> {
  const most = Math.max(LIMITS.ratioFrom, packed.length * LIMITS.ratio);
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return concat(...pieces);
      length += value.length;
      // Checked while it grows: a zip bomb is never unpacked completely.
      if (length > most) throw KeepassError.unreadable('an attachment unpacks to an implausible size');
      if (length > LIMITS.attachment) throw KeepassError.unreadable('an attachment is too large');
      pieces.push(value);
    }
  } catch (error) {
    throw error instanceof KeepassError ? error : KeepassError.unreadable('an attachment is damaged');
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
