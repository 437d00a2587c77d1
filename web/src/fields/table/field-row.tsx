import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { Field } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import type { FieldPath } from '@passwordbroker/client/vault/vault';
import { type FieldVerbs, useFieldVerbs } from '../value/use-field-verbs.ts';
import { FileValue, PasswordValue, TextValue } from '../value/field-values.tsx';
import { TotpValue } from '../totp/totp-value.tsx';
import { FieldKind } from './field-kind.tsx';
import styles from './field-table.module.css';
import { RecordVerbButtons, type RecordVerbs } from './record-verbs.tsx';

interface Props {
  readonly path: FieldPath;
  readonly announce: (text: string) => void;
  /** null if read-only, as in search results. */
  readonly records: RecordVerbs | null;
  /** 'Seen by 3', or null. */
  readonly seenBy: string | null;
  readonly onRevealed: () => void;
  /** The value is being loaded into the edit dialog. */
  readonly isOpening: boolean;
  readonly problem: string | null;
}

/** One field. Keys inside the row: S show or hide, C copy, L copy login, O open link, H history, E edit, Delete. */
export function FieldRow({ path, announce, records, seenBy, onRevealed, isOpening, problem }: Props) {
  const row = useRef<HTMLDivElement>(null);
  const { field } = path;
  const verbs = useFieldVerbs(path, announce);
  const told = verbs.problem ?? problem;
  const { opened } = verbs.secret;
  useEffect(() => {
    if (opened !== null) onRevealed();
  }, [opened, onRevealed]);
  const keys: Readonly<Record<string, () => void>> = {
    s: field.type === 'file' ? () => void verbs.save() : verbs.toggle,
    c: () => void verbs.copyValue(),
    l: () => void verbs.copyLogin(),
    o: () => void verbs.openLink(),
    h: () => records?.history(field),
    e: () => records?.write?.edit(field),
    delete: () => records?.write?.remove(field),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const next =
      event.key === 'ArrowDown' ? 'nextElementSibling' : event.key === 'ArrowUp' ? 'previousElementSibling' : null;
    if (next !== null && event.target === row.current) {
      const neighbour = row.current?.[next];
      if (neighbour instanceof HTMLElement && neighbour.dataset['field'] !== undefined) neighbour.focus();
      event.preventDefault();
      return;
    }
    const verb = keys[event.key.toLowerCase()];
    if (verb === undefined) return;
    event.preventDefault();
    verb();
  };
  return (
    <div
      ref={row}
      className={styles['row']}
      role="row"
      tabIndex={0}
      data-field={field.field_id}
      aria-keyshortcuts={shortcutsOf(field, records)}
      onKeyDown={onKeyDown}
    >
      <div className={styles['title']} role="cell">
        {field.title === '' ? <span className={styles['untitled']}>{TEXTS.untitled}</span> : field.title}
      </div>
      <div className={styles['kind']} role="cell">
        <FieldKind type={field.type} />
      </div>
      <div className={styles['values']} role="cell">
        <FieldValue field={field} verbs={verbs} />
        {told !== null && (
          <div className={styles['message']}>
            <MessageBox tone="danger" lines={[told]} />
          </div>
        )}
        {verbs.disagreement.length > 0 && (
          <div className={styles['message']}>
            <MessageBox tone="warning" lines={verbs.disagreement} />
          </div>
        )}
      </div>
      {records !== null && (
        <div className={styles['actions']} role="cell">
          <RecordVerbButtons field={field} verbs={records} seenBy={seenBy} isOpening={isOpening} />
        </div>
      )}
    </div>
  );
}

const SHORTCUTS: Readonly<Partial<Record<FieldType, readonly string[]>>> = {
  password: ['S', 'C', 'L'],
  link: ['S', 'C', 'O'],
  file: ['S'],
};

function shortcutsOf({ type }: Field, records: RecordVerbs | null): string {
  const value = SHORTCUTS[type] ?? ['S', 'C'];
  const mayBe = (verb: 'edit' | 'remove') =>
    records !== null && records.write !== null && records.whyNot[verb] === null;
  return [
    ...value,
    ...(records === null ? [] : ['H']),
    ...(mayBe('edit') ? ['E'] : []),
    ...(mayBe('remove') ? ['Delete'] : []),
  ].join(' ');
}

function FieldValue({ field, verbs }: { readonly field: Field; readonly verbs: FieldVerbs }) {
  switch (field.type) {
    case 'password':
      return <PasswordValue field={field} verbs={verbs} />;
    case 'file':
      return <FileValue field={field} verbs={verbs} />;
    case 'TOTP':
      return <TotpValue field={field} verbs={verbs} />;
    case 'link':
    case 'note':
      return <TextValue field={field} verbs={verbs} />;
  }
}
