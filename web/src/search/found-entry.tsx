import { memo } from 'react';
import { Link } from 'react-router';
import { Folder } from 'lucide-react';
import type { SearchRow } from '@passwordbroker/core/contract/entities';
import { entryAddress } from '../entries/entry-address.ts';
import { ReadOnlyFieldTable } from '../fields/table/field-table.tsx';
import { formatTime } from '../lib/format.ts';
import { SEARCH_TEXTS as TEXTS } from '../texts/entries/search.ts';
import { MarkedText } from './marked-text.tsx';
import styles from './search-page.module.css';

interface Props {
  readonly entry: SearchRow;
  readonly query: string;
}

export const FoundEntry = memo(function FoundEntry({ entry, query }: Props) {
  const fields = [...entry.passwords, ...entry.links, ...entry.notes, ...entry.files, ...entry.TOTPs];
  return (
    <li className={styles['entry']}>
      <article aria-label={entry.title}>
        <header className={styles['entryHead']}>
          <h2 className={styles['entryTitle']}>
            <Link to={entryAddress(entry)}>
              <MarkedText text={entry.title} query={query} />
            </Link>
          </h2>
          <Link className={styles['group']} to={`/entryGroup/${entry.entry_group_id}`}>
            <Folder size={16} aria-hidden="true" />
            <span>
              <MarkedText text={entry.entry_group.name} query={query} />
            </span>
          </Link>
          <time className={styles['date']} dateTime={entry.updated_at}>
            {TEXTS.updated(formatTime(entry.updated_at))}
          </time>
        </header>
        {fields.length === 0 ? (
          <p className={styles['noFields']}>{TEXTS.noFields}</p>
        ) : (
          <div className={styles['fields']}>
            <ReadOnlyFieldTable entry={entry} fields={fields} />
          </div>
        )}
      </article>
    </li>
  );
});
