import { type DragEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Plus } from 'lucide-react';
import type { Entry, Field, SeenBy } from '@passwordbroker/core/contract/entities';
import { can, type Role } from '@passwordbroker/core/domain/policy';
import { ADD_FIELD_TEXTS, EDIT_FIELD_TEXTS, FIELD_TEXTS as TEXTS, SEEN_BY_TEXTS } from '../../texts/entries/fields.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Skeleton } from '@passwordbroker/ui/feedback/empty-state';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { useGroupWhyNot } from '../../trust/use-trust-state.ts';
import { useVault, useWhyNot } from '../../vault/use-vault.ts';
import { useReturnedDraft } from '../../drafts/use-draft.ts';
import { AddFieldDialog } from '../edit/add-field-dialog.tsx';
import { type KeptField, keptFieldPlace } from '../edit/new-field.ts';
import { useSeenBy } from '../history/use-seen-by.ts';
import { FieldDialogs } from './field-dialogs.tsx';
import { FieldRow } from './field-row.tsx';
import styles from './field-table.module.css';
import { useFields } from './use-fields.ts';
import { useRecordVerbs } from './record-verbs.tsx';

interface Props {
  readonly entry: Entry;
  readonly role: Role;
}

/** The fields of an expanded entry (docs/spec/product.md §2). */
export function FieldTable({ entry, role }: Props) {
  const { write } = useVault();
  const whyNot = useWhyNot();
  const whyNotSeal = useGroupWhyNot(entry.entry_group_id);
  const path = { entryGroupId: entry.entry_group_id, entryId: entry.entry_id };
  const { state, fields, problem, reload } = useFields(path);
  const seen = useSeenBy(path, fields.length > 0);
  /** Whether a field is being added; a file if it begins with one. */
  const [adding, setAdding] = useState<boolean | File>(false);
  const table = useRef<HTMLDivElement>(null);
  const mayWrite = can(role, 'field.write');
  const records = useRecordVerbs(table, mayWrite, { edit: whyNotSeal, remove: whyNot });
  useCodeFont();
  const isFree = adding === false && records.open === null;
  const isReady = mayWrite && write !== null && whyNotSeal === null && isFree && state === 'loaded';
  useReturnedDraft<KeptField>(keptFieldPlace(entry.entry_id), isReady, (form) => {
    const field = fields.find((one) => one.field_id === form.fieldId);
    if (form.kind === 'add') setAdding(true);
    else if (field !== undefined) records.verbs.write?.edit(field);
    else toast(EDIT_FIELD_TEXTS.gone, { tone: 'danger' });
  });

  if (problem !== null && state === 'failed') {
    return (
      <div className={styles['failed']}>
        <MessageBox tone="danger" lines={[TEXTS.loadFailed, problem.message]} />
        <Button variant="secondary" size="sm" onPress={reload}>
          {TEXTS.retry}
        </Button>
      </div>
    );
  }
  const isLoading = state === 'required loading' || state === 'loading';
  // After a write the open dialog must use the newer revision of the list.
  const opened =
    records.open === null ? undefined : fields.find((one) => one.field_id === records.open?.field.field_id);
  const isTaking = (event: DragEvent) =>
    mayWrite && whyNotSeal === null && adding === false && event.dataTransfer.types.includes('Files');
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    if (!isTaking(event) || file === undefined) return;
    event.preventDefault();
    setAdding(file);
  };
  return (
    <div
      ref={table}
      role="presentation"
      onDragOver={(event) => isTaking(event) && event.preventDefault()}
      onDrop={drop}
    >
      <Table
        entry={entry}
        fields={fields}
        isLoading={isLoading}
        records={records}
        seenBy={(fieldId) => seenByText(seen.rows, fieldId, can(role, 'reveals.read'))}
        onRevealed={seen.reload}
        foot={
          mayWrite && (
            <div className={styles['foot']}>
              <Button
                variant="ghost"
                size="sm"
                icon={<Plus size={16} />}
                whyNot={whyNotSeal}
                onPress={() => setAdding(true)}
              >
                {ADD_FIELD_TEXTS.open}
              </Button>
              {whyNotSeal !== null && <span className={styles['hint']}>{whyNotSeal}</span>}
            </div>
          )
        }
      />
      {adding !== false && write !== null && (
        <AddFieldDialog
          entry={entry}
          file={adding === true ? null : adding}
          write={write}
          onClose={() => setAdding(false)}
        />
      )}
      {records.open !== null && (
        <FieldDialogs
          verb={records.open.verb}
          path={{ ...path, field: opened ?? records.open.field }}
          entry={entry}
          write={mayWrite ? write : null}
          onRemoved={records.removed}
          onEnd={records.end}
        />
      )}
    </div>
  );
}

/** For search results: show and copy only. */
export function ReadOnlyFieldTable({ entry, fields }: { readonly entry: Entry; readonly fields: readonly Field[] }) {
  return <Table entry={entry} fields={fields} isLoading={false} />;
}

interface TableProps {
  readonly entry: Entry;
  readonly fields: readonly Field[];
  readonly isLoading: boolean;
  /** Absent if read-only. */
  readonly records?: ReturnType<typeof useRecordVerbs>;
  /** 'Seen by 3', or null. */
  readonly seenBy?: (fieldId: string) => string | null;
  readonly onRevealed?: () => void;
  readonly foot?: ReactNode;
}

const nothing = () => undefined;

function seenByText(rows: readonly SeenBy[], fieldId: string, isToldAll: boolean): string | null {
  const count = rows.filter(({ field_id }) => field_id === fieldId).length;
  if (count === 0) return null;
  return isToldAll ? SEEN_BY_TEXTS.count(count) : SEEN_BY_TEXTS.you;
}

function Table({ entry, fields, isLoading, records, seenBy, onRevealed = nothing, foot }: TableProps) {
  const [notice, setNotice] = useState('');
  // A changed text makes screen readers repeat the same announcement.
  const announce = useCallback((text: string) => setNotice((before) => (before === text ? `${text}\u00A0` : text)), []);
  const isReadOnly = records === undefined;
  const { columns } = TEXTS;
  return (
    <div className={styles['container']}>
      <div className={styles['box']}>
        <div
          className={styles['table']}
          role="table"
          aria-label={TEXTS.table(entry.title)}
          aria-busy={isLoading}
          data-read-only={isReadOnly || undefined}
        >
          <div className={styles['head']} role="row">
            <div role="columnheader">{columns.title}</div>
            <div role="columnheader">{columns.type}</div>
            <div role="columnheader">{columns.value}</div>
            {!isReadOnly && <div role="columnheader">{columns.actions}</div>}
          </div>
          {fields.map((field) => (
            <FieldRow
              key={field.field_id}
              path={{ entryGroupId: entry.entry_group_id, entryId: entry.entry_id, field }}
              announce={announce}
              records={records?.verbs ?? null}
              seenBy={seenBy?.(field.field_id) ?? null}
              onRevealed={onRevealed}
              isOpening={records?.open?.verb === 'edit' && records.open.field.field_id === field.field_id}
              problem={records?.problem?.fieldId === field.field_id ? records.problem.text : null}
            />
          ))}
        </div>
        {isLoading && <FieldSkeleton />}
        {!isLoading && fields.length === 0 && <p className={styles['empty']}>{TEXTS.empty}</p>}
        {foot}
      </div>
      <span className={styles['spoken']} role="status">
        {notice}
      </span>
    </div>
  );
}

function FieldSkeleton() {
  return (
    <div className={styles['skeleton']} role="status" aria-label={TEXTS.loading}>
      {[1, 2, 3].map((row) => (
        <div key={row} className={styles['row']}>
          <div className={styles['title']}>
            <Skeleton />
          </div>
          <div className={styles['kind']}>
            <Skeleton />
          </div>
          <div className={styles['values']}>
            <Skeleton />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Preloads the font of values, so that no value is rendered twice. */
function useCodeFont(): void {
  useEffect(() => {
    const family = getComputedStyle(document.documentElement).getPropertyValue('--font-code');
    if ('fonts' in document) document.fonts.load(`14px ${family}`).catch(() => undefined);
  }, []);
}
