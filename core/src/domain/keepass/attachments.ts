/** Attachments: base64, perhaps gzip, never larger than agreed when unpacked. */
import type { Bytes } from '../../crypto/bytes.ts';
import { KeepassError } from './errors.ts';
import { KEEPASS_LIMITS as LIMITS } from './limits.ts';

export interface PackedAttachment {
  readonly text: string;
  readonly isCompressed: boolean;
}

/** Unpacks attachments one after another and keeps the sum. */
export function attachmentReader() {
  let total = 0;
  return {
    /** @throws KeepassError for damaged bytes, or too many of them */
    async read({ text, isCompressed }: PackedAttachment): Promise<Bytes> {
      const packed = decode(text);
      const bytes = isCompressed ? await unpack(packed) : packed;
      if (bytes.length > LIMITS.attachment) throw KeepassError.unreadable('an attachment is too large');
      total += bytes.length;
      if (total > LIMITS.attachments) throw KeepassError.unreadable('the attachments together are too large');
      return bytes;
    },
  };
}

function decode(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0));
  } catch {
    throw KeepassError.unreadable('an attachment is damaged');
  }
}

async function unpack(packed: Bytes): Promise<Bytes> {
  const most = Math.min(LIMITS.attachment, Math.max(packed.length * LIMITS.ratio, 1024));
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      // Looked at while it grows: a bomb is never unpacked to its end.
      if (length > most) throw KeepassError.unreadable('an attachment unpacks to more than is believable');
      pieces.push(value);
    }
  } catch (error) {
    throw error instanceof KeepassError ? error : KeepassError.unreadable('an attachment is damaged');
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
