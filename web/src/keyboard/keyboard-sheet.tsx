import { Fragment } from 'react';
import { KEYBOARD_TEXTS as TEXTS } from '../texts/keyboard.ts';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import styles from './keyboard-sheet.module.css';

interface Props {
  readonly onClose: () => void;
}

export function KeyboardSheet({ onClose }: Props) {
  return (
    <Dialog title={TEXTS.title} subtitle={TEXTS.subtitle} size="lg" onClose={onClose}>
      <div ref={putInTabOrder} className={styles['sections']} role="region" aria-label={TEXTS.title}>
        {TEXTS.sections.map(({ title, keys: rows }) => (
          <section key={title} className={styles['section']} aria-label={title}>
            <h3 className={styles['title']}>{title}</h3>
            <dl className={styles['rows']}>
              {rows.map(({ keys, text }) => (
                <div key={text} className={styles['row']}>
                  <dt className={styles['keys']}>
                    <Keys alternatives={keys} />
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

/** Makes the region scrollable by keyboard. */
const putInTabOrder = (region: HTMLElement | null) => {
  if (region !== null) region.tabIndex = 0;
};

/** The keys of one alternative are pressed together. */
function Keys({ alternatives }: { readonly alternatives: readonly (readonly string[])[] }) {
  return alternatives.map((keys, at) => (
    <Fragment key={keys.join('+')}>
      {at > 0 && <span className={styles['or']}>{TEXTS.or}</span>}
      {keys.map((key) => (
        <kbd key={key} className={styles['key']}>
          {key}
        </kbd>
      ))}
    </Fragment>
  ));
}
