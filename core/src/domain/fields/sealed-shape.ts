/** The server's checks of sealed bytes (docs/spec/crypto.md §19): structure, never content. */
import { type Bytes, encodeBase64 } from '../../crypto/bytes.ts';
import { KIND, SEAL_OVERHEAD } from '../../crypto/seal.ts';
import { hasBodyHeader, sealedBodySize } from '../../crypto/stream.ts';
import { maxDocumentBytes } from '../keyring/document-names.ts';
import { MAX_PADDED_BYTES, MAX_PADDED_SITE_BYTES } from './padding.ts';

const MAGIC = [0x50, 0x42, 0x31] as const;
/** 32 sealed bytes: a slot or a wrapped content key. */
export const WRAPPED_KEY_BYTES = SEAL_OVERHEAD + 32;
const MAX_KEYSET_BYTES = 8192;

function hasHeader(blob: Uint8Array, kind: keyof typeof KIND): boolean {
  return blob.length >= SEAL_OVERHEAD && MAGIC.every((byte, at) => blob[at] === byte) && blob[3] === KIND[kind];
}

export const isSlotShape = (blob: Uint8Array) => blob.length === WRAPPED_KEY_BYTES && hasHeader(blob, 'slot');
export const isKeysetShape = (blob: Uint8Array) => blob.length <= MAX_KEYSET_BYTES && hasHeader(blob, 'keyset');
export const isDocumentShape = (blob: Uint8Array, name: string) =>
  blob.length <= maxDocumentBytes(name) && hasHeader(blob, 'doc');
export const isWrappedContentKeyShape = (blob: Uint8Array) =>
  blob.length === WRAPPED_KEY_BYTES && hasHeader(blob, 'cek');

/** 84 + 64·n bytes, n ≥ 2. */
export const isValueShape = (blob: Uint8Array) => hasHeader(blob, 'value') && isPadded(blob, MAX_PADDED_BYTES);
export const isSiteShape = (blob: Uint8Array) => hasHeader(blob, 'site') && isPadded(blob, MAX_PADDED_SITE_BYTES);

function isPadded(blob: Uint8Array, most: number): boolean {
  const padded = blob.length - SEAL_OVERHEAD;
  return padded >= 128 && padded % 64 === 0 && padded <= most;
}

/** It repeats the salt inside the value. */
export const isVectorOf = (vector: string, value: Uint8Array) => vector === encodeBase64(value.subarray(4, 36));

export const isGroupSecretWrapShape = (wrapped: Uint8Array, modulusBits: number) => wrapped.length * 8 === modulusBits;

export const isBodyShape = (start: Bytes, length: number, size: number) =>
  hasBodyHeader(start) && length === sealedBodySize(size);
