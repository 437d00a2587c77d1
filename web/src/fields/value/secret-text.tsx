import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
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

interface MaskProps {
  readonly label: string;
  /** Absent for a value that cannot be copied, such as a file. */
  readonly onCopy?: () => void;
}

/** A press copies the value. Not in the tab order: the Copy button beside it does the same. */
export function Mask({ label, onCopy }: MaskProps) {
  if (onCopy === undefined) {
    return (
      <span className={styles['mask']} role="img" aria-label={label}>
        {DOTS}
      </span>
    );
  }
  return (
    <button
      type="button"
      className={`${styles['mask']} ${styles['pressed']}`}
      tabIndex={-1}
      aria-label={label}
      title={TEXTS.pressToCopy}
      onClick={onCopy}
    >
      {DOTS}
    </button>
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
