/** What happened to a field, newest first; an older value can be shown and copied like the present one (specification §2). */
import { useQuery } from '@tanstack/react-query';
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import { useState } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { activityLog } from '../activity-log/activity-log.ts';
import { clipboard } from '../lib/clipboard.ts';
import { formatTime } from '../lib/format.ts';
import { FIELD_HISTORY_TEXTS as TEXTS, FIELD_TEXTS } from '../texts/fields.ts';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { useVault } from '../vault/use-vault.ts';
import type { FieldPath } from '../vault/vault.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './field-history-dialog.module.css';
import { problemText } from './problem-text.ts';
import { Mask, SecretText } from './secret-text.tsx';
import { useSecret } from './use-secret.ts';

interface Props {
  readonly path: FieldPath;
  readonly onClose: () => void;
}

export function FieldHistoryDialog({ path, onClose }: Props) {
  const vault = useVault();
  const { field } = path;
  const query = useQuery({
    queryKey: [vault.mode, 'field history', field.field_id],
    queryFn: ({ signal }) => vault.read.history(path, signal),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const { columns } = TEXTS;
  return (
    <Dialog title={TEXTS.title(field.title)} size="lg" onClose={onClose}>
      {query.isPending && (
        <p className={styles['loading']} role="status">
          {TEXTS.loading}
        </p>
      )}
      {query.error !== null && <MessageBox tone="danger" lines={[TEXTS.failed, problemText(query.error)]} />}
      {query.data?.length === 0 && <EmptyState title={TEXTS.empty} />}
      {query.data !== undefined && query.data.length > 0 && (
        <div className={styles['scroll']}>
          <table className={styles['table']}>
            <thead>
              <tr>
                <th>{columns.action}</th>
                <th>{columns.user}</th>
                <th>{columns.date}</th>
                <th>{columns.value}</th>
                <th className={styles['verbs']}>{columns.actions}</th>
              </tr>
            </thead>
            <tbody>
              {query.data.map((row) => (
                <HistoryRow key={row.field_edit_log_id} path={path} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Dialog>
  );
}

function HistoryRow({ path, row }: { readonly path: FieldPath; readonly row: FieldHistory }) {
  return (
    <tr>
      <td>{row.event_type}</td>
      <td>{row.user?.name ?? TEXTS.removedUser}</td>
      <td className={styles['date']}>{formatTime(row.created_at)}</td>
      {row.has_value && path.field.type !== 'file' ? (
        <PastValue path={path} row={row} />
      ) : (
        <td className={styles['none']} colSpan={2}>
          {TEXTS.noValue}
        </td>
      )}
    </tr>
  );
}

function PastValue({ path, row }: { readonly path: FieldPath; readonly row: FieldHistory }) {
  const vault = useVault();
  const { title, type } = path.field;
  const secret = useSecret((signal) => vault.read.revealRevision(path, row, signal), TEXTS.reveal(title));
  const [count, setCount] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const { shown } = secret;

  const copy = async () => {
    const opened = await secret.take(FIELD_TEXTS.copy(title));
    if (opened === null) return;
    try {
      await clipboard.copySecret(opened.text);
    } catch (failure) {
      setProblem(problemText(failure));
      return;
    }
    setCount((before) => before + 1);
    activityLog.add(FIELD_TEXTS.activity.valueCopied(title));
  };
  const told = problem ?? secret.problem;
  return (
    <>
      <td className={styles['value']}>
        {shown === null && <Mask label={FIELD_TEXTS.hidden(title)} />}
        {shown !== null && (
          <span className={styles['shown']} data-secret>
            {type === 'password' ? <SecretText secret={shown.text} /> : shown.text}
          </span>
        )}
        {told !== null && <MessageBox tone="danger" lines={[told]} />}
        {shown !== null && shown.disagreements.length > 0 && (
          <MessageBox tone="warning" lines={[FIELD_TEXTS.disagrees(shown.disagreements)]} />
        )}
      </td>
      <td className={styles['verbs']}>
        <IconButton
          label={shown === null ? FIELD_TEXTS.show : FIELD_TEXTS.hide}
          icon={shown === null ? <Eye size={16} /> : <EyeOff size={16} />}
          busy={secret.isOpening}
          align="end"
          onPress={() => (shown === null ? void secret.show() : secret.hide())}
        />
        <CopyButton label={TEXTS.copyValue} onCopy={() => void copy()} count={count} />
      </td>
    </>
  );
}
