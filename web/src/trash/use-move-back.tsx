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
import { type EntryMoveRow, lookAtMoveBack, type MoveBack } from '@passwordbroker/client/vault/entries/move-back';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';

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
