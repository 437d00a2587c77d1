import { isEntryMove } from '@passwordbroker/client/vault/entries/move-back';
import { useEffect, useState } from 'react';
import { TRASH_TEXTS as TEXTS } from '../texts/entries/trash-and-activity.ts';
import { ENTRY_TEXTS } from '../texts/entries/entries.ts';
import { Tabs } from '@passwordbroker/ui/display/tabs';
import { useVault } from '../vault/use-vault.ts';
import { TrashList, useJournal } from './trash-list.tsx';
import styles from './trash.module.css';
import { PagedList } from './paged-list.tsx';
import { Download, FolderInput, Pencil, Plus, Undo2 } from 'lucide-react';
import type { JournalRow } from '@passwordbroker/core/contract/entities';
import { takeBack } from '../activity-log/activity-log.ts';
import { useGroupTree, useRefresh } from '../groups/tree/use-group-tree.ts';
import { formatTime } from '../lib/format.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { useMoveBack } from './use-move-back.tsx';

/** `/trash`: deleted things, and the person's own operations while they can be undone. */
export function TrashPage() {
  useEffect(() => {
    document.title = `${TEXTS.page} | PasswordBroker`;
  }, []);
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{TEXTS.page}</h1>
        <p className={styles['hint']}>{TEXTS.pageHint}</p>
      </header>
      <Tabs
        label={TEXTS.sections}
        tabs={[
          { id: 'deleted', title: TEXTS.deleted, content: <TrashList groupId={null} /> },
          { id: 'changes', title: TEXTS.changes, content: <JournalList /> },
        ]}
      />
    </div>
  );
}

const LIST_TEXTS = {
  list: TEXTS.changes,
  loading: TEXTS.changesLoading,
  failed: TEXTS.changesFailed,
  retry: TEXTS.retry,
  empty: TEXTS.changesEmpty,
  emptyHint: TEXTS.changesEmptyHint,
} as const;

function JournalList() {
  const { write } = useVault();
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useJournal(page);
  return (
    <PagedList
      page={data}
      error={error}
      isFetching={isFetching}
      onRetry={() => void refetch()}
      onPage={setPage}
      texts={LIST_TEXTS}
    >
      {(row) => <JournalLine key={row.operation_id} row={row} write={write} />}
    </PagedList>
  );
}

const ICONS = {
  create: Plus,
  move: FolderInput,
  rename: Pencil,
  import: Download,
  delete: Undo2,
  restore: Undo2,
} as const;

/** One operation of the person with an Undo button. Undoing a move of entries needs the unlocked keyring. */
export function JournalLine({ row, write }: { readonly row: JournalRow; readonly write: VaultWrite | null }) {
  const { tree } = useGroupTree();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const nameOf = (id: string) => tree?.byId.get(id)?.title;
  const moveBack = useMoveBack(nameOf);
  const masterPassword = useMasterPassword();
  const told = journalText(row, nameOf);
  const Icon = ICONS[row.kind];

  /** Returns how much stays as others have changed it. */
  const undoRow = async (): Promise<number> => {
    if (write === null) return 0;
    if (isEntryMove(row)) {
      await moveBack.undo(row, write);
      return 0;
    }
    const undo = () => write.undo(row.operation_id);
    // Only an import that changed values needs the keyring.
    const unlocked = (failure: unknown) => {
      if (!(failure instanceof KeyringError && failure.code === 'locked')) throw failure;
      return masterPassword.use(undo, { label: TEXTS.undoImportAction(row.title) });
    };
    return (await undo().catch(unlocked)).stays;
  };
  const undo = async () => {
    setBusy(true);
    await takeBack(async () => {
      const stays = await undoRow();
      return stays === 0 ? TEXTS.undone(told) : TEXTS.undoneExcept(told, stays);
    });
    setBusy(false);
    // After an error too: the data on the screen is outdated.
    await refresh();
  };
  return (
    <li className={styles['row']}>
      <div className={styles['line']}>
        <span className={styles['icon']}>
          <Icon size={16} aria-hidden="true" />
        </span>
        <div className={styles['what']}>
          <p className={styles['title']}>{told}</p>
          <p className={styles['facts']}>
            {row.kind === 'import' && <span>{TEXTS.counts(row.counts)}</span>}
            <time dateTime={row.created_at}>{formatTime(row.created_at)}</time>
            {row.undo_until !== null && <span>{TEXTS.undoUntil(formatTime(row.undo_until))}</span>}
          </p>
        </div>
        <div className={styles['verbs']}>
          <Button
            size="sm"
            icon={<Undo2 size={14} />}
            label={TEXTS.undoNamed(told)}
            busy={isBusy}
            busyLabel={TEXTS.undoing}
            isDisabled={write === null}
            onPress={() => void undo()}
          >
            {TEXTS.undo}
          </Button>
        </div>
      </div>
      {moveBack.dialog}
    </li>
  );
}

/** @param nameOf title of a group that the person can see */
export function journalText(row: JournalRow, nameOf: (groupId: string) => string | undefined): string {
  const titleOf = (id: string | null) => {
    if (id === null) return TEXTS.theRoot;
    const name = nameOf(id);
    return name === undefined ? TEXTS.unknownGroup : TEXTS.groupNamed(name);
  };
  if (row.kind === 'import') return TEXTS.imported(row.title);
  if (row.kind === 'create') return ENTRY_TEXTS.added(row.title);
  if (row.kind === 'rename') return TEXTS.renamed(row.target_kind, row.from ?? row.title, row.to ?? row.title);
  if (row.target_kind === 'entry_group') return TEXTS.movedGroup(row.title, titleOf(row.from), titleOf(row.to));
  return TEXTS.movedEntries(row.title, row.target_ids.length - 1, titleOf(row.from), titleOf(row.to));
}
