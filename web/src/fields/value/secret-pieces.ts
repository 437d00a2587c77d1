/** Splits a password where the type of character changes, for colouring. */

export interface Piece {
  readonly text: string;
  readonly kind: 'letter' | 'digit' | 'symbol';
  /** Offset in characters, used as React key. */
  readonly at: number;
}

export function secretPieces(secret: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const text of secret.match(/\p{Nd}+|[\p{L}\p{M}]+|[^\p{Nd}\p{L}\p{M}]+/gu) ?? []) {
    pieces.push({
      text,
      kind: /^\p{Nd}/u.test(text) ? 'digit' : /^[\p{L}\p{M}]/u.test(text) ? 'letter' : 'symbol',
      at,
    });
    at += text.length;
  }
  return pieces;
}
