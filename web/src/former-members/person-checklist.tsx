/** What a person who left has seen, over all groups, to be checked off. */
import { useState } from 'react';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import type { Entry } from '@passwordbroker/core/contract/entities';
import type { Departure, KnownValue } from '@passwordbroker/client/vault/groups/people';
import type { FieldPath, VaultRead } from '@passwordbroker/client/vault/vault';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { EditFieldDialog } from '../fields/table/field-dialogs.tsx';
import { problemText } from '../fields/table/problem-text.ts';
import { FORMER_MEMBER_TEXTS as TEXTS } from '../texts/groups/members.ts';
import { useVault } from '../vault/use-vault.ts';
import { type GroupValue, OpenedRows } from './opened-rows.tsx';

interface ChecklistProps {
  readonly label: string;
  readonly values: readonly GroupValue[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

/** "Change" opens the field with a new password; a saved one is checked off. */
export function PersonChecklist({ label, values, error, onRetry }: ChecklistProps) {
  const { read, write, mode } = useVault();
  const client = useQueryClient();
  const [editing, setEditing] = useState<Editing | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const begin = async (row: KnownValue) => {
    setProblem(null);
    try {
      setEditing(await placeOf(read, row));
    } catch (failure) {
      setProblem(problemText(failure));
    }
  };
  const end = (failure: string | null) => {
    setEditing(null);
    setProblem(failure);
    void client.invalidateQueries({ queryKey: [mode, 'departure'] });
    void client.invalidateQueries({ queryKey: [mode, 'departures'] });
  };
  return (
    <>
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      <OpenedRows
        label={label}
        rows={values}
        error={error}
        onRetry={onRetry}
        onChange={write === null ? undefined : (row) => void begin(row)}
      />
      {editing !== null && write !== null && (
        <EditFieldDialog path={editing.path} entry={editing.entry} write={write} isRenewed onEnd={end} />
      )}
    </>
  );
}

interface Editing {
  readonly path: FieldPath;
  readonly entry: Entry;
}

/** @throws errors of the vault; an Error if the field is gone */
async function placeOf(
  read: VaultRead,
  { entry: { entry_id: entryId, entry_group_id: entryGroupId }, field }: KnownValue,
) {
  const [entries, fields] = await Promise.all([read.entries(entryGroupId), read.fields({ entryGroupId, entryId })]);
  const entry = entries.find(({ entry_id }) => entry_id === entryId);
  const present = fields.find(({ field_id, type }) => field_id === field.field_id && type === field.type);
  if (entry === undefined || present === undefined) throw new Error(TEXTS.gone);
  return { entry, path: { entryGroupId, entryId, field: present } };
}

/** Never cached, because other people may have changed secrets meanwhile. */
export const FRESH = { networkMode: 'always', retry: false, staleTime: 0, gcTime: 0 } as const;

/** Values of all groups that the person has left; undefined until every list is there. */
export function useValues(departures: readonly Departure[], isShown: boolean) {
  const vault = useVault();
  const parts = useQueries({
    queries: departures.map((departure) => ({
      queryKey: [vault.mode, 'departure', departure.entry_group.entry_group_id, departure.departure_id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        vault.read.departure(departure.entry_group.entry_group_id, departure.departure_id, signal),
      enabled: isShown,
      ...FRESH,
    })),
  });
  const loaded = parts.flatMap(({ data }, at) => {
    const departure = departures[at];
    return data === undefined || departure === undefined ? [] : [{ departure, rows: data.rows }];
  });
  return {
    values: loaded.length === departures.length ? valuesOf(loaded) : undefined,
    error: parts.find(({ error, isFetching }) => error !== null && !isFetching)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of parts) if (error !== null) void refetch();
    },
  };
}

/** Each value once: a person who left a group twice may know it by both, and the newest revision counts. */
export function valuesOf(
  parts: readonly { readonly departure: Departure; readonly rows: readonly KnownValue[] }[],
): readonly GroupValue[] {
  const byField = new Map<string, GroupValue>();
  for (const { departure, rows } of parts) {
    for (const row of rows) {
      const known = byField.get(row.field.field_id);
      if (known === undefined || known.rev < row.rev)
        byField.set(row.field.field_id, { ...row, group: departure.entry_group.name });
    }
  }
  return [...byField.values()];
}
