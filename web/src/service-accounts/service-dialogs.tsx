import { type FormEvent, useId, useState } from 'react';
import type { ServiceAccount } from '@passwordbroker/core/contract/users/service-accounts';
import { SERVICE_LIMITS } from '@passwordbroker/core/domain/limits';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { MadeService } from '@passwordbroker/client/vault/service-accounts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { tellDone } from '../activity-log/activity-log.ts';
import { useRefresh } from '../groups/tree/use-group-tree.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { servers } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { SERVICE_TEXTS as TEXTS } from '../texts/identity/services.ts';
import { useVault } from '../vault/use-vault.ts';
import { MadeDialog } from './made-dialog.tsx';
import { OwnerDialog } from './owner-dialog.tsx';
import { AddDialog, ChangeDialog, DaysField, problemsOf } from './service-forms.tsx';
import styles from './services.module.css';

export type Question =
  | { readonly kind: 'add' }
  | { readonly kind: 'renew'; readonly account: ServiceAccount }
  | { readonly kind: 'change' | 'give'; readonly account: ServiceAccount }
  | { readonly kind: 'remove'; readonly account: ServiceAccount; readonly keepFocus: () => void }
  | {
      readonly kind: 'end';
      readonly account: ServiceAccount;
      readonly slotId: string;
      readonly keepFocus: () => void;
    };

interface Props {
  readonly question: Question | null;
  readonly onAsk: (question: Question | null) => void;
}

export function ServiceDialog({ question, onAsk }: Props) {
  const { write } = useVault();
  const refresh = useRefresh();
  if (question === null || write === null) return null;
  const close = () => onAsk(null);
  const finish = () => {
    close();
    return refresh();
  };
  const common = { write, onClose: close, onDone: () => void finish() };
  switch (question.kind) {
    case 'add':
    case 'renew':
      return <MakingDialog question={question} write={write} onMade={() => void refresh()} onClose={close} />;
    case 'change':
      return <ChangeDialog account={question.account} {...common} />;
    case 'give':
      return <OwnerDialog account={question.account} {...common} />;
    case 'remove':
    case 'end':
      return <EndDialog question={question} write={write} onDone={finish} onClose={close} />;
  }
}

interface MakingProps {
  readonly question: Extract<Question, { readonly kind: 'add' | 'renew' }>;
  readonly write: VaultWrite;
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/**
 * Asks, then shows the credential. Only its state holds that: React drops the state of a component that goes, and may
 * keep former state of one that stays.
 */
function MakingDialog({ question, write, onMade, onClose }: MakingProps) {
  const [made, setMade] = useState<MadeService | null>(null);
  if (made !== null) return <MadeDialog made={made} onClose={onClose} />;
  const show = (next: MadeService) => {
    setMade(next);
    onMade();
  };
  return question.kind === 'add' ? (
    <AddDialog write={write} onMade={show} onClose={onClose} />
  ) : (
    <RenewDialog account={question.account} write={write} onMade={show} onClose={onClose} />
  );
}

interface EndProps {
  readonly question: Extract<Question, { readonly kind: 'remove' | 'end' }>;
  readonly write: VaultWrite;
  /** Closes, and resolves when the list is as it is now. */
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Ends a credential, or deletes the account. */
function EndDialog({ question, write, onDone, onClose }: EndProps) {
  const { account, kind, keepFocus } = question;
  const { user_id: id, name, groups } = account;
  const isRemoval = kind === 'remove';
  return (
    <ConfirmDialog
      title={isRemoval ? TEXTS.removeTitle(name) : TEXTS.endTitle(name)}
      cancel={TEXTS.cancel}
      confirm={isRemoval ? TEXTS.remove : TEXTS.end}
      confirming={isRemoval ? TEXTS.removing : TEXTS.ending}
      onConfirm={async () => {
        const services = await write.services();
        await (kind === 'remove' ? services.remove(id) : services.end(id, question.slotId));
        tellDone(isRemoval ? TEXTS.removed(name) : TEXTS.ended);
        await onDone();
        keepFocus();
      }}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p>{isRemoval ? TEXTS.removeText(groups) : TEXTS.endText}</p>
    </ConfirmDialog>
  );
}

interface RenewProps {
  readonly account: ServiceAccount;
  readonly write: VaultWrite;
  readonly onMade: (made: MadeService) => void;
  readonly onClose: () => void;
}

/** After a loss: new keys, and a new credential that opens them. */
function RenewDialog({ account, write, onMade, onClose }: RenewProps) {
  const form = useId();
  const masterPassword = useMasterPassword();
  const [days, setDays] = useState(String(SERVICE_LIMITS.usualDays));
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblems([]);
    try {
      const asked = { days: Number(days), origin: servers.chosen() ?? location.origin };
      const run = async () => (await write.services()).renew(account, asked);
      const made = await freshSignIn.tryRun(() => masterPassword.use(run, { label: TEXTS.renewAction }));
      if (made !== null) return onMade(made);
    } catch (failure) {
      if (!(failure instanceof MasterPasswordCancelled)) setProblems(problemsOf(failure));
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={TEXTS.renewTitle(account.name)}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={onClose}
          submit={TEXTS.renew}
          submitting={TEXTS.renewing}
          isBusy={isBusy}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
        {problems.length > 0 && <MessageBox tone="danger" lines={problems} />}
        <p>{TEXTS.renewText(account.groups)}</p>
        <p className={styles['hint']}>{TEXTS.renewHint}</p>
        <DaysField days={days} onChange={setDays} />
      </form>
    </Dialog>
  );
}
