import type { SeenBy } from '@passwordbroker/core/contract/entities';
import type { FieldPath } from '@passwordbroker/client/vault/vault';
import { Badge } from '@passwordbroker/ui/display/badge';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { formatTime } from '../../lib/format.ts';
import { FIELD_TEXTS, SEEN_BY_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import styles from './seen-by-dialog.module.css';
import { useSeenBy } from './use-seen-by.ts';

/** The people who were shown a field, newest first; marks those who are not in its group now. */
export function SeenByDialog({ path, onClose }: { readonly path: FieldPath; readonly onClose: () => void }) {
  const { rows, isPending, problem } = useSeenBy(path, true);
  const { field_id, title } = path.field;
  const own = rows.filter((row) => row.field_id === field_id);
  return (
    <Dialog title={TEXTS.title(title === '' ? FIELD_TEXTS.untitled : title)} onClose={onClose}>
      {isPending && <p role="status">{TEXTS.loading}</p>}
      {problem !== null && <MessageBox tone="danger" lines={[TEXTS.failed, problem.message]} />}
      {!isPending && problem === null && own.length === 0 && <p>{TEXTS.none}</p>}
      {own.length > 0 && (
        <ul className={styles['people']} aria-label={TEXTS.people}>
          {own.map((row) => (
            <Person key={`${row.user?.user_id ?? ''} ${row.last_at}`} row={row} />
          ))}
        </ul>
      )}
      <p className={styles['hint']}>{TEXTS.notCounted}</p>
    </Dialog>
  );
}

function Person({ row: { user, is_member, last_at } }: { readonly row: SeenBy }) {
  return (
    <li>
      <span className={styles['name']}>{user?.name ?? TEXTS.removedUser}</span>
      {!is_member && <Badge tone="warning" text={TEXTS.notMember} />}
      <time dateTime={last_at}>{formatTime(last_at)}</time>
    </li>
  );
}
