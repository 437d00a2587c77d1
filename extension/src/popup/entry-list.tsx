import { KeyRound, Timer, User } from 'lucide-react';
import { IconButton } from '@passwordbroker/ui/actions/button';
import type { Item, Secrets } from '../keeper/entries.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import styles from './popup.module.css';

interface EntryListProps {
  readonly heading: string;
  readonly items: readonly Item[];
  /** Name of the action on a row. */
  readonly verb: (title: string) => string;
  /** Null: nothing can be filled. */
  readonly onFill: ((item: Item) => void) | null;
  readonly onCopy: (item: Item, what: keyof Secrets) => void;
  readonly empty: string;
}

export function EntryList({ heading, items, verb, onFill, onCopy, empty }: EntryListProps) {
  return (
    <section aria-label={heading}>
      <h2 className={styles['heading']}>{heading}</h2>
      {items.length === 0 && <p className={styles['text']}>{empty}</p>}
      <ul className={styles['list']}>
        {items.map((item) => (
          <li key={item.entryId} className={styles['row']}>
            <Entry item={item} verb={verb} onFill={onFill} />
            <Copies item={item} onCopy={onCopy} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A button only where something can be filled. */
function Entry({ item, verb, onFill }: Pick<EntryListProps, 'verb' | 'onFill'> & { readonly item: Item }) {
  const text = (
    <>
      <span className={styles['name']}>{item.title}</span>
      <span className={styles['facts']}>{[item.login, item.group].filter(Boolean).join(' · ')}</span>
    </>
  );
  if (onFill === null) return <div className={styles['entry']}>{text}</div>;
  return (
    <button type="button" className={styles['entry']} aria-label={verb(item.title)} onClick={() => onFill(item)}>
      {text}
    </button>
  );
}

function Copies({ item, onCopy }: Pick<EntryListProps, 'onCopy'> & { readonly item: Item }) {
  const { title, login, hasPassword, hasCode } = item;
  return (
    <span className={styles['copies']}>
      {login !== null && login !== '' && (
        <IconButton
          label={TEXTS.copyLogin(title)}
          icon={<User size={16} />}
          align="end"
          onPress={() => onCopy(item, 'userName')}
        />
      )}
      {hasPassword && (
        <IconButton
          label={TEXTS.copyPassword(title)}
          icon={<KeyRound size={16} />}
          align="end"
          onPress={() => onCopy(item, 'password')}
        />
      )}
      {hasCode && (
        <IconButton
          label={TEXTS.copyCode(title)}
          icon={<Timer size={16} />}
          align="end"
          onPress={() => onCopy(item, 'code')}
        />
      )}
    </span>
  );
}
