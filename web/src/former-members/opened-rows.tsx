import { Check, KeyRound } from 'lucide-react';
import { Link } from 'react-router';
import { entryAddress } from '../entries/entry-address.ts';
import { FieldKind } from '../fields/table/field-kind.tsx';
import { formatTime } from '../lib/format.ts';
import { FORMER_MEMBER_TEXTS as TEXTS } from '../texts/groups/members.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import type { KnownValue } from '@passwordbroker/client/vault/groups/people';
import styles from './former-members.module.css';
import { FIELD_TEXTS } from '../texts/entries/fields.ts';

interface Props {
  readonly label: string;
  /** undefined until loaded. */
  readonly rows: readonly (KnownValue | GroupValue)[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** Offers to change what is still in use. */
  readonly onChange?: ((row: KnownValue) => void) | undefined;
}

/** A value with the name of the group that the person left. */
export interface GroupValue extends KnownValue {
  readonly group: string;
}

/** Fields that one person has opened in a group. */
export function OpenedRows({ label, rows, error, onRetry, onChange }: Props) {
  if (error !== null) {
    return (
      <MessageBox tone="danger" lines={[TEXTS.rowsFailed, error.message]}>
        <Button size="sm" onPress={onRetry}>
          {TEXTS.retry}
        </Button>
      </MessageBox>
    );
  }
  if (rows === undefined) {
    return (
      <p className={styles['loading']} role="status">
        <Spinner /> {TEXTS.rowsLoading}
      </p>
    );
  }
  if (rows.length === 0) return <p className={styles['none']}>{TEXTS.nothing}</p>;
  const { entry, field, opened, state } = TEXTS.columns;
  return (
    <div className={styles['rows']} role="table" aria-label={label}>
      <div role="rowgroup">
        <div className={`${styles['opened']} ${styles['head']}`} role="row">
          {[entry, field, opened, state].map((name) => (
            <div key={name} role="columnheader">
              {name}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {unchangedFirst(rows).map((row) => (
          <div key={row.field.field_id} className={styles['opened']} role="row">
            <div role="cell" className={styles['entry']}>
              {row.trashed ? row.entry.title : <Link to={entryAddress(row.entry)}>{row.entry.title}</Link>}
              {'group' in row && <span className={styles['ofGroup']}>{TEXTS.within(row.group)}</span>}
            </div>
            <div role="cell" className={styles['field']}>
              <FieldKind type={row.field.type} />
              <span>{titleOf(row)}</span>
            </div>
            <div role="cell" className={styles['when']}>
              {formatTime(row.opened_at)}
              {row.how !== 'revealed' && `, ${TEXTS.how[row.how]}`}
            </div>
            <div role="cell" className={styles['state']} data-open={isOpen(row)}>
              {isOpen(row) && onChange !== undefined ? (
                <Button
                  size="sm"
                  icon={<KeyRound size={14} />}
                  label={TEXTS.changeNamed(titleOf(row), row.entry.title)}
                  onPress={() => onChange(row)}
                >
                  {TEXTS.changeNow}
                </Button>
              ) : (
                <>
                  {row.changed && <Check size={14} aria-hidden="true" />}
                  {stateOf(row)}
                </>
              )}
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Otherwise in the server's order. */
function unchangedFirst<Row extends KnownValue>(rows: readonly Row[]): readonly Row[] {
  return [...rows.filter(isOpen), ...rows.filter((row) => !isOpen(row))];
}

const titleOf = ({ field: { title } }: KnownValue) => (title === '' ? TEXTS.untitled : title);

/** A secret in the trash need not be changed; when restored, it counts again. */
export const isOpen = ({ changed, trashed }: KnownValue) => !changed && !trashed;

const stateOf = ({ changed, trashed }: KnownValue) =>
  changed ? TEXTS.changed : trashed ? TEXTS.trashed : TEXTS.change;

/** CSV (RFC 4180) with titles, without values. */
export function csvOfKnownSecrets(name: string, rows: readonly GroupValue[]): string {
  return csvOf([
    TEXTS.csv,
    ...rows.map((row) => [
      name,
      row.group,
      row.entry.title,
      row.field.title,
      FIELD_TEXTS.kinds[row.field.type],
      formatTime(row.opened_at),
      TEXTS.how[row.how],
      stateOf(row),
    ]),
  ]);
}

/**
 * A spreadsheet would run such a cell as a formula, so it gets an apostrophe. Some programs strip tabs first.
 */
const FORMULA = /^[=+\-@\t\r]/;

/** Lines end in CR LF, after a byte order mark for spreadsheets. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`;
}

function cell(text: string): string {
  const safe = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
