/** Counts of an import, and what was skipped and why (docs/spec/decisions.md H7). */
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { importFile } from '@passwordbroker/core/contract/entries/import';
import type { Skipped } from '@passwordbroker/core/contract/entities';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import styles from './import-dialog.module.css';

export type ImportAnswer = AnswerOf<typeof importFile>;

export function ImportSummary({ answer }: { readonly answer: ImportAnswer }) {
  const { counts, skipped, name } = answer;
  return (
    <div className={`${styles['body']} ${styles['summary']}`}>
      <MessageBox tone="success" lines={[TEXTS.doneInto(name)]} />
      <section>
        <h3>{TEXTS.read}</h3>
        <ul className={styles['counts']}>
          <li>{TEXTS.groups(counts.entry_groups)}</li>
          <li>{TEXTS.entries(counts.entries)}</li>
          <li>{TEXTS.fields(counts.fields)}</li>
          {counts.revisions > counts.fields && <li>{TEXTS.revisions(counts.revisions)}</li>}
        </ul>
      </section>
      <section>
        <h3>{TEXTS.leftOut}</h3>
        {skipped.length === 0 ? (
          <p>{TEXTS.nothingLeftOut}</p>
        ) : (
          <ul>
            {skipped.map((item) => (
              <li key={`${item.kind}/${item.reason}`}>{skippedLine(item)}</li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

/** `{kind: 'entry', reason: 'in the recycle bin', count: 3}` → '3 entries: in the recycle bin' */
export function skippedLine({ kind, reason, count }: Skipped): string {
  return `${count} ${count === 1 ? kind : plural(kind)}: ${reason}`;
}

function plural(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
