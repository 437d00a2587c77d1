/** Keyboard shortcuts of all parts in one dialog; a bottom sheet on phones. */
import { Fragment } from 'react';
import { KEYBOARD_TEXTS as TEXTS } from '../texts/keyboard.ts';
import { Dialog } from '@passwordbroker/ui/dialog';
import styles from './keyboard-sheet.module.css';

interface Props {
  readonly onClose: () => void;
}

export function KeyboardSheet({ onClose }: Props) {
  return (
    <Dialog title={TEXTS.title} subtitle={TEXTS.subtitle} size="lg" onClose={onClose}>
      <div ref={putInTabOrder} className={styles['places']} role="region" aria-label={TEXTS.title}>
        {TEXTS.places.map(({ title, keys: rows }) => (
          <section key={title} className={styles['place']} aria-label={title}>
            <h3 className={styles['title']}>{title}</h3>
            <dl className={styles['rows']}>
              {rows.map(({ keys, text }) => (
                <div key={text} className={styles['row']}>
                  <dt className={styles['keys']}>
                    <Keys ways={keys} />
                  </dt>
                  <dd className={styles['text']}>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Makes the region scrollable by keyboard; it contains nothing focusable. */
const putInTabOrder = (region: HTMLElement | null) => {
  if (region !== null) region.tabIndex = 0;
};

/** Alternatives; the keys of one alternative are pressed together. */
function Keys({ ways }: { readonly ways: readonly (readonly string[])[] }) {
  return ways.map((way, at) => (
    <Fragment key={way.join('+')}>
      {at > 0 && <span className={styles['or']}>{TEXTS.or}</span>}
      {way.map((key) => (
        <kbd key={key} className={styles['key']}>
          {key}
        </kbd>
      ))}
    </Fragment>
  ));
}
