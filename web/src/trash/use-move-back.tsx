import { type ReactNode, useState } from 'react';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { peopleNames, type ServerNames } from '../trust/person-texts.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { useSession } from '../session/use-session.ts';
import { BULK_TEXTS } from '../texts/entries/entries.ts';
import { TRASH_TEXTS } from '../texts/entries/trash-and-activity.ts';
import { TRUST_TEXTS as TEXTS } from '../texts/groups/trust.ts';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { useVault } from '../vault/use-vault.ts';
import type { VaultWrite, EntryMove, Vault } from '@passwordbroker/client/vault/vault';
import type { JournalRow } from '@passwordbroker/core/contract/entities';
import type { ListedPerson } from '@passwordbroker/core/domain/trust/list-difference';

interface Question {
  readonly group: string;
  readonly found: MoveBack;
  readonly names: ServerNames;
  readonly answer: (isWanted: boolean) => void;
}

interface MovingBack {
  /** @throws MasterPasswordCancelled if the person declines; KeyringError; AppError */
  readonly undo: (row: EntryMoveRow, write: VaultWrite) => Promise<void>;
  /** To be rendered by the caller. */
  readonly dialog: ReactNode;
}

/** Entries beyond this number are only counted. */
const NAMED = 3;
const titlesOf = ({ titles }: MoveBack) => BULK_TEXTS.names(titles.slice(0, NAMED), Math.max(0, titles.length - NAMED));

/** Undoes a move of entries from the journal. Asks first if more people could read them afterwards. */
export function useMoveBack(nameOf: (groupId: string) => string | undefined): MovingBack {
  const vault = useVault();
  const { user } = useSession();
  const masterPassword = useMasterPassword();
  const [question, setQuestion] = useState<Question | null>(null);

  const ask = async (group: string, found: MoveBack) => {
    const listed = await vault.read.members(found.move.fromGroupId);
    const names = new Map(listed.map(({ user_id, user: { name } }) => [user_id, name]));
    return new Promise<boolean>((resolve) => {
      const answer = (isWanted: boolean) => {
        setQuestion(null);
        resolve(isWanted);
      };
      setQuestion({ group, found, names, answer });
    });
  };
  const undo = async (row: EntryMoveRow, write: VaultWrite) => {
    const group = nameOf(row.from) ?? TRASH_TEXTS.unknownGroup;
    const label = TRASH_TEXTS.undoMoveAction(group);
    const found = await masterPassword.use(() => lookAtMoveBack(vault, row, user?.user_id ?? ''), { label });
    if (found.titles.length === 0) throw new Error(TEXTS.moveBackGone(nameOf(row.to) ?? TRASH_TEXTS.unknownGroup));
    if (found.newReaders.length > 0 && !(await ask(found.group ?? group, found))) throw new MasterPasswordCancelled();
    await masterPassword.use(() => write.undoEntryMove(found.move), { label });
  };
  const dialog = question !== null && (
    <ConfirmDialog
      title={TEXTS.moveBackTitle(question.group)}
      cancel={TEXTS.cancel}
      confirm={TEXTS.moveBackAct}
      confirming={TEXTS.movingBack}
      isHarmless
      onConfirm={async () => question.answer(true)}
      onClose={() => question.answer(false)}
      problemOf={reasonOf}
    >
      <p>{TEXTS.moveBack(titlesOf(question.found), peopleNames(question.found.readers, question.names))}</p>
      <p>{TEXTS.moveBackNew(peopleNames(question.found.newReaders, question.names))}</p>
    </ConfirmDialog>
  );
  return { undo, dialog };
}

interface MoveBack {
  /** Contains only entries that still are in the group that they were moved to. */
  readonly move: EntryMove;
  /** Verified name of the group that they return to; null: unknown. */
  readonly group: string | null;
  readonly titles: readonly string[];
  /** Signed members of the group that they return to, without the person. */
  readonly readers: readonly ListedPerson[];
  /** Readers who cannot read the entries now. Empty: no question. */
  readonly newReaders: readonly ListedPerson[];
}

type EntryMoveRow = JournalRow & { readonly from: string; readonly to: string };

export const isEntryMove = (row: JournalRow): row is EntryMoveRow =>
  row.kind === 'move' && row.target_kind === 'entry' && row.from !== null && row.to !== null;

/**
 * What the undo of a move would do, by the signed lists of both groups: the journal row is unverified. Needs
 * an
 * unlocked vault.
 * @throws KeyringError for a group that does not open; AppError
 */
async function lookAtMoveBack(vault: Vault, row: EntryMoveRow, selfId: string): Promise<MoveBack> {
  const { read } = vault;
  const { operation_id: operationId, from: fromGroupId, to: toGroupId, target_ids } = row;
  const opened = Promise.all([read.examine(fromGroupId), read.examine(toGroupId)]);
  const [there] = await Promise.all([read.entries(toGroupId), opened]);
  const wanted = new Set(target_ids);
  const entries = there.filter(({ entry_id }) => wanted.has(entry_id));
  const target = vault.trust?.details(fromGroupId);
  const present = new Map(peopleOf(vault, toGroupId).map(({ userId, fingerprint }) => [userId, fingerprint]));
  const others = peopleOf(vault, fromGroupId).filter(({ userId }) => userId !== selfId);
  return {
    move: {
      operationId,
      fromGroupId,
      toGroupId,
      entryIds: entries.map(({ entry_id }) => entry_id),
      ...(target?.newest ? { shownList: target.newest.hash } : {}),
    },
    group: target?.path.at(-1) ?? null,
    titles: entries.map(({ title }) => title),
    readers: others,
    newReaders: others.filter(({ userId, fingerprint }) => present.get(userId) !== fingerprint),
  };
}

const peopleOf = ({ trust }: Vault, groupId: string): readonly ListedPerson[] =>
  trust?.details(groupId)?.newest?.people ?? [];
