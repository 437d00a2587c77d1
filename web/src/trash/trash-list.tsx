import { useState, useId } from 'react';
import { TRASH_TEXTS as TEXTS } from '../texts/entries/trash-and-activity.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { useVault } from '../vault/use-vault.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { PreviewLine } from '../access/preview-line.tsx';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { PagedList } from './paged-list.tsx';
import { PurgeDialog } from './purge-dialog.tsx';
import styles from './trash.module.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronRight, FileText, Folder, RotateCcw, TextCursorInput } from 'lucide-react';
import { Link } from 'react-router';
import type { TrashItem } from '@passwordbroker/core/contract/entities';
import { formatTime } from '../lib/format.ts';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { tellDone } from '../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { useRefresh } from '../groups/tree/use-group-tree.ts';
import { freshSignIn } from '../page/vault.ts';

/** @param groupId null: all groups */
export function TrashList({ groupId }: { readonly groupId: string | null }) {
  const { write } = useVault();
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useTrash(groupId, page);
  return (
    <PagedList
      page={data}
      error={error}
      isFetching={isFetching}
      onRetry={() => void refetch()}
      onPage={setPage}
      texts={TEXTS}
      head={
        write !== null && data?.data.some((item) => item.can_purge) && <EmptyTrash groupId={groupId} write={write} />
      }
    >
      {(item) => <TrashRow key={item.operation_id} item={item} write={write} isInGroup={groupId !== null} />}
    </PagedList>
  );
}

function EmptyTrash({ groupId, write }: { readonly groupId: string | null; readonly write: VaultWrite }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles['bar']}>
      <Button size="sm" variant="danger-quiet" onPress={() => setAsking(true)}>
        {TEXTS.emptyTrash}
      </Button>
      {isAsking && <PurgeDialog what={{ groupId }} write={write} onClose={() => setAsking(false)} />}
    </div>
  );
}

const ALWAYS = { networkMode: 'always', retry: false, staleTime: 0, placeholderData: keepPreviousData } as const;

/** @param groupId null: all groups */
function useTrash(groupId: string | null, page: number) {
  const vault = useVault();
  return useQuery({
    queryKey: [vault.mode, 'trash', groupId, page],
    queryFn: ({ signal }) => vault.read.trash({ page, groupId }, signal),
    ...ALWAYS,
  });
}

export function useJournal(page: number) {
  const vault = useVault();
  return useQuery({
    queryKey: [vault.mode, 'journal', page],
    queryFn: ({ signal }) => vault.read.journal(page, signal),
    ...ALWAYS,
  });
}

const ICONS = { entry_group: Folder, entry: FileText, field: TextCursorInput } as const;

interface Props {
  readonly item: TrashItem;
  /** null while the vault is read-only. */
  readonly write: VaultWrite | null;
  readonly isInGroup: boolean;
}

/** One deletion. Can be restored whole, or one of several things. */
function TrashRow({ item, write, isInGroup }: Props) {
  const list = useId();
  const [isOpen, setOpen] = useState(false);
  const [isPurging, setPurging] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { busy, problem, restore } = useRestore(item, write);
  const Icon = ICONS[item.kind];
  const title = TEXTS.titleOf(item.title, Math.max(0, item.items.length - 1));
  const count = item.items.length;
  return (
    <li className={styles['row']}>
      <div className={styles['line']}>
        <span className={styles['icon']}>
          <Icon size={16} aria-label={TEXTS.kinds[item.kind]} />
        </span>
        <div className={styles['what']}>
          <p className={styles['title']}>{title}</p>
          <p className={styles['facts']}>
            <span>{TEXTS.counts(item.counts)}</span>
            {!isInGroup && <GroupLink item={item} />}
            <span>{item.user === null ? TEXTS.byNobody : TEXTS.who(item.user.name)}</span>
            <time dateTime={item.created_at}>{formatTime(item.created_at)}</time>
            <span>{TEXTS.until(formatTime(item.purge_at))}</span>
          </p>
          {count > 1 && (
            <button
              type="button"
              className={styles['more']}
              aria-expanded={isOpen}
              aria-controls={isOpen ? list : undefined}
              onClick={() => setOpen(!isOpen)}
            >
              <ChevronRight size={14} aria-hidden="true" />
              {isOpen ? TEXTS.hideItems(count) : TEXTS.showItems(count)}
            </button>
          )}
        </div>
        <div className={styles['verbs']}>
          <Button
            size="sm"
            icon={<RotateCcw size={14} />}
            label={TEXTS.restoreNamed(title)}
            busy={busy === 'all'}
            busyLabel={TEXTS.restoring}
            isDisabled={write === null || busy !== null}
            onPress={() => (item.kind === 'entry_group' ? setAsking(true) : restore(null))}
          >
            {TEXTS.restore}
          </Button>
          {item.can_purge && (
            <Button
              size="sm"
              variant="danger-quiet"
              label={TEXTS.purgeNamed(title)}
              isDisabled={write === null || busy !== null}
              onPress={() => setPurging(true)}
            >
              {TEXTS.purge}
            </Button>
          )}
        </div>
      </div>
      {problem !== null && (
        <div className={styles['rowProblem']}>
          <MessageBox tone="danger" lines={[problem]} />
        </div>
      )}
      {isOpen && (
        <ul id={list} className={styles['items']} aria-label={TEXTS.items(title)}>
          {item.items.map((one) => (
            <li key={one.id} className={styles['item']}>
              <span>{one.title}</span>
              <Button
                size="sm"
                variant="ghost"
                label={TEXTS.restoreNamed(one.title)}
                busy={busy === one.id}
                busyLabel={TEXTS.restoring}
                isDisabled={write === null || busy !== null}
                onPress={() => restore(one)}
              >
                {TEXTS.restore}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isAsking && (
        <ConfirmDialog
          title={TEXTS.restoreAsked(title)}
          cancel={TEXTS.cancel}
          confirm={TEXTS.restore}
          confirming={TEXTS.restoring}
          isHarmless
          onConfirm={async () => {
            setAsking(false);
            restore(null);
          }}
          onClose={() => setAsking(false)}
          problemOf={reasonOf}
        >
          <PreviewLine act={{ kind: 'restore-group', operation_id: item.operation_id }} />
        </ConfirmDialog>
      )}
      {isPurging && write !== null && (
        <PurgeDialog
          what={{ operationId: item.operation_id }}
          title={title}
          write={write}
          onClose={() => setPurging(false)}
        />
      )}
    </li>
  );
}

/** Everyone who may restore can see the group. */
function GroupLink({ item: { entry_group: group } }: { readonly item: TrashItem }) {
  if (group === null) return <span>{TEXTS.atRoot}</span>;
  return (
    <Link to={`/entryGroup/${group.entry_group_id}`} className={styles['group']}>
      {TEXTS.where(group.name)}
    </Link>
  );
}

type Thing = TrashItem['items'][number];

function useRestore(item: TrashItem, write: VaultWrite | null) {
  const refresh = useRefresh();
  /** 'all', or the id of the item that is being restored; null: none. */
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const run = async (thing: Thing | null) => {
    if (write === null) return;
    setProblem(null);
    setBusy(thing?.id ?? 'all');
    try {
      const items = thing === null ? [] : [[{ kind: thing.kind, id: thing.id }] as const];
      const done = await freshSignIn.tryRun(() => write.restore(item.operation_id, ...items));
      if (done === null) return;
      const title = thing?.title ?? TEXTS.titleOf(item.title, Math.max(0, item.items.length - 1));
      tellDone(TEXTS.restored(title));
      await refresh();
    } catch (failure) {
      setProblem(reasonOf(failure));
    } finally {
      setBusy(null);
    }
  };
  return { busy, problem, restore: (thing: Thing | null) => void run(thing) };
}
