import styles from './field-value.module.css';

export function SecretText({ secret }: { readonly secret: string }) {
  return secretPieces(secret).map(({ at, kind, text }) => (
    <span key={at} className={styles[kind]}>
      {text}
    </span>
  ));
}

/** Always twelve dots, so that the mask does not reveal the length. */
const DOTS = '•'.repeat(12);

export function Mask({ label }: { readonly label: string }) {
  return (
    <span className={styles['mask']} role="img" aria-label={label}>
      {DOTS}
    </span>
  );
}

interface Piece {
  readonly text: string;
  readonly kind: 'letter' | 'digit' | 'symbol';
  /** Offset in UTF-16 code units, the React key. */
  readonly at: number;
}

/** Splits a password where the type of character changes. */
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
