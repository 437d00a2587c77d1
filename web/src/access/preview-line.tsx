import { useQuery } from '@tanstack/react-query';
import type { AccessChange, Act, Preview } from '@passwordbroker/core/contract/groups/access';
import { Skeleton } from '@passwordbroker/ui/feedback/empty-state';
import { useSession } from '../session/use-session.ts';
import { PREVIEW_TEXTS as TEXTS } from '../texts/groups/access.ts';
import { useVault } from '../vault/use-vault.ts';
import styles from './access.module.css';

/** What an operation will change, asked of the server while the person reads. `act` null: not chosen yet. */
export function PreviewLine({ act }: { readonly act: Act | null }) {
  const { read, mode } = useVault();
  const { user } = useSession();
  const { data, error, isFetching } = useQuery({
    queryKey: [mode, 'preview', act],
    queryFn: ({ signal }) => (act === null ? null : read.preview(act, signal)),
    enabled: act !== null,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  if (act === null) return null;
  if (data === undefined || data === null) {
    const isFailed = error !== null && !isFetching;
    return (
      <p className={styles['preview']} role="status" aria-label={isFailed ? undefined : TEXTS.computing}>
        {isFailed ? TEXTS.failed : <Skeleton />}
      </p>
    );
  }
  return (
    <p className={styles['preview']} role="status">
      {previewText(data, act.kind, user?.user_id ?? null)}
    </p>
  );
}

/** At most this many people are named. */
const MOST_NAMED = 3;

/** One sentence for each kind of change. '' if there is nothing to tell. */
export function previewText(preview: Preview, kind: Act['kind'], selfId: string | null): string {
  const { gains, loses, changes, names, totals, notes } = preview;
  const named = (rows: readonly AccessChange[], total: number) => {
    const shown = rows.slice(0, total > MOST_NAMED ? MOST_NAMED - 1 : MOST_NAMED);
    const people = shown.map(({ user }) => (user.user_id === selfId ? TEXTS.you : user.name));
    return TEXTS.people(people, total - shown.length);
  };
  const isDeletion = kind === 'delete-group' || kind === 'delete-entries';
  const sentences = [
    totals.gains > 0 && TEXTS.gains(named(gains, totals.gains), totals.entries),
    totals.loses > 0 && TEXTS.loses(named(loses, totals.loses)),
    !isDeletion && totals.known !== null && totals.known > 0 && TEXTS.known(totals.known),
    totals.changes > 0 && TEXTS.changes(named(changes, totals.changes), totals.entry_groups),
    totals.names > 0 && TEXTS.names(totals.names, names[0]?.entry_groups.at(-1) ?? null),
    notes.includes('last_admin') && TEXTS.lastAdmin,
    notes.includes('not_yours') && (isDeletion ? TEXTS.refusedBelow : TEXTS.othersBelow),
  ].filter((sentence) => sentence !== false);
  if (sentences.length === 0 && kind !== 'move-group') return TEXTS.nobody;
  return sentences.join(' ');
}
