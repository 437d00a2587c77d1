/** A revealed password cut where its kind of character changes, so that digits and symbols can be told from letters. */

export interface Piece {
  readonly text: string;
  readonly kind: 'letter' | 'digit' | 'symbol';
  /** Where it starts, in characters: its key when drawn. */
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
