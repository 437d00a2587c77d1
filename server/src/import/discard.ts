/** Wipes what has been read and gives its memory back, though others still name it: a large import has better use for it. A second time does nothing. */
export function discard(bytes: Uint8Array): void {
  // Memory that has been given back has no bytes left, and takes none.
  if (bytes.length === 0) return;
  bytes.fill(0);
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer) structuredClone(buffer, { transfer: [buffer] });
}
