import { highlight } from './highlight.ts';
import styles from './search-page.module.css';

interface Props {
  readonly text: string;
  readonly query: string;
}

export function MarkedText({ text, query }: Props) {
  let at = 0;
  return highlight(text, query).map((piece) => {
    const start = at;
    at += piece.text.length;
    return piece.isMatch ? (
      <mark key={start} className={styles['mark']}>
        {piece.text}
      </mark>
    ) : (
      <span key={start}>{piece.text}</span>
    );
  });
}
