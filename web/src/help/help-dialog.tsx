import { foldText } from '@passwordbroker/core/domain/search-text';
import { Search } from 'lucide-react';
import { Fragment, useState } from 'react';
import { HELP_TEXTS as TEXTS } from '../texts/help.ts';
import { KEYBOARD_TEXTS } from '../texts/keyboard.ts';
import { MANUAL_TEXTS } from '../texts/manual.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyLine } from '@passwordbroker/ui/feedback/empty-state';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, firstFocus } from '@passwordbroker/ui/overlays/dialog';
import styles from './help-dialog.module.css';

interface Props {
  readonly onClose: () => void;
}

/** The manual and the keyboard shortcuts, with a search over both. */
export function HelpDialog({ onClose }: Props) {
  const [query, setQuery] = useState('');
  const { topics, sections, count } = searchHelp(query);
  return (
    <Dialog title={TEXTS.title} size="lg" onClose={onClose}>
      <TextField
        label={TEXTS.search}
        isLabelHidden
        type="search"
        placeholder={TEXTS.searchHint}
        start={<Search size={16} />}
        value={query}
        onChange={setQuery}
        ref={firstFocus}
        autoComplete="off"
      />
      <p className="visually-hidden" role="status">
        {query.trim() !== '' && TEXTS.found(count)}
      </p>
      <div ref={putInTabOrder} className={styles['results']} role="region" aria-label={TEXTS.contents}>
        {count === 0 && (
          <EmptyLine
            title={TEXTS.nothing}
            text={TEXTS.nothingHint}
            action={
              <Button size="sm" onPress={() => setQuery('')}>
                {TEXTS.clear}
              </Button>
            }
          />
        )}
        {topics.length > 0 && (
          <div className={styles['topics']}>
            {topics.map(({ title, lines }) => (
              <section key={title}>
                <h3 className={styles['title']}>{title}</h3>
                {lines.map((line) => (
                  <p key={line} className={styles['line']}>
                    {line}
                  </p>
                ))}
              </section>
            ))}
          </div>
        )}
        {sections.length > 0 && (
          <section>
            <h3 className={styles['part']}>{KEYBOARD_TEXTS.title}</h3>
            <p className={styles['hint']}>{KEYBOARD_TEXTS.subtitle}</p>
            <div className={styles['sections']}>
              {sections.map(({ title, keys: rows }) => (
                <section key={title}>
                  <h4 className={styles['title']}>{title}</h4>
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
          </section>
        )}
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
      {at > 0 && <span className={styles['or']}>{KEYBOARD_TEXTS.or}</span>}
      {keys.map((key) => (
        <kbd key={key} className={styles['key']}>
          {key}
        </kbd>
      ))}
    </Fragment>
  ));
}

interface Topic {
  readonly title: string;
  readonly lines: readonly string[];
}

interface KeySection {
  readonly title: string;
  readonly keys: readonly { readonly keys: readonly (readonly string[])[]; readonly text: string }[];
}

interface FoundHelp {
  readonly topics: readonly Topic[];
  readonly sections: readonly KeySection[];
  /** Topics and shortcuts. */
  readonly count: number;
}

/**
 * The topics and shortcuts that contain every word, ignoring case and accents; all for blank text. A section
 * whose title matches stays whole.
 */
export function searchHelp(query: string): FoundHelp {
  const words = foldText(query).split(/\s+/u).filter(Boolean);
  const matches = (...texts: readonly string[]) => {
    const whole = foldText(texts.join(' '));
    return words.every((word) => whole.includes(word));
  };
  const topics = MANUAL_TEXTS.filter(({ title, lines }) => matches(title, ...lines));
  const sections = KEYBOARD_TEXTS.sections
    .map(({ title, keys }): KeySection => ({
      title,
      keys: matches(KEYBOARD_TEXTS.title, title)
        ? keys
        : (keys as KeySection['keys']).filter((row) => matches(title, row.text, row.keys.map(nameOf).join(' '))),
    }))
    .filter(({ keys }) => keys.length > 0);
  return { topics, sections, count: topics.length + sections.reduce((sum, { keys }) => sum + keys.length, 0) };
}

const nameOf = (keys: readonly string[]) => keys.join('+');
