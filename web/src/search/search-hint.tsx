/** What can be typed beside plain words (docs/spec/decisions.md H8): shown where nothing was found. */
import { SEARCH_TEXTS as TEXTS } from '../texts/search.ts';
import styles from './search-page.module.css';

export function SearchHint() {
  return (
    <section className={styles['hint']} aria-label={TEXTS.hintTitle}>
      <h2 className={styles['hintTitle']}>{TEXTS.hintTitle}</h2>
      <dl className={styles['hintRows']}>
        {TEXTS.hint.map(({ typed, text }) => (
          <div key={typed} className={styles['hintRow']}>
            <dt>{typed}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
