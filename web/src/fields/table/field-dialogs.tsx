import type { Entry } from '@passwordbroker/core/contract/entities';
import type { FieldPath, VaultWrite } from '@passwordbroker/client/vault/vault';
import { EditFieldDialog } from '../edit/edit-field-dialog.tsx';
import { FieldHistoryDialog } from '../history/field-history-dialog.tsx';
import { RemoveFieldDialog } from '../edit/remove-field-dialog.tsx';

export type RecordVerb = 'history' | 'edit' | 'remove';

interface Props {
  readonly verb: RecordVerb;
  readonly path: FieldPath;
  readonly entry: Entry;
  /** null if the person may only read. */
  readonly write: VaultWrite | null;
  readonly onRemoved: () => void;
  /** Receives an error that no dialog shows, or null. */
  readonly onEnd: (problem: string | null) => void;
}

export function FieldDialogs({ verb, path, entry, write, onRemoved, onEnd }: Props) {
  const close = () => onEnd(null);
  if (verb === 'history') return <FieldHistoryDialog path={path} write={write} onClose={close} />;
  if (write === null) return null;
  return verb === 'edit' ? (
    <EditFieldDialog path={path} entry={entry} write={write} onEnd={onEnd} />
  ) : (
    <RemoveFieldDialog path={path} entry={entry} write={write} onRemoved={onRemoved} onClose={close} />
  );
}
