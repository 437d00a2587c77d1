/** What an import read, what it left out and why (docs/spec/decisions.md H7). */
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { importFile } from '@passwordbroker/core/contract/entries/import';
import { IMPORT_TEXTS as TEXTS } from '../texts/import.ts';
import { MessageBox } from '../ui/message-box.tsx';
import styles from './import-dialog.module.css';
import { skippedLine } from './skipped-line.ts';

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
