/** A revealed password: letters, digits and symbols in different colours. */
import { secretPieces } from './secret-pieces.ts';
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
