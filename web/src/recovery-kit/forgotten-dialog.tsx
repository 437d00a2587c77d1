/** A forgotten master password: `key` → `opening` → `new master password`, which is demanded at once. */
import { type FormEvent, useEffect, useId, useState } from 'react';
import { get } from '@passwordbroker/core/contract/users/people';
import { AppError } from '@passwordbroker/core/contract/problem';
import { readRecoveryKey } from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-key';
import { recoverWithKey, type RecoveringStep } from '@passwordbroker/client/recovery-kit/use-recovery-key';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, firstFocus, FormVerbs, useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import { tellDone } from '../activity-log/activity-log.ts';
import { useSiteRules } from '../identity/passwords/use-site-rules.ts';
import { ChoiceDialog, NewMasterPasswordFields, useNewMasterPassword } from '../master-password/choice-dialog.tsx';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { weakMasterPassword } from '../master-password/weak-master-password.ts';
import { http } from '../page/page.ts';
import { keyring, kitOffer } from '../page/vault.ts';
import { useSession } from '../session/use-session.ts';
import { KIT_TEXTS as TEXTS } from '../texts/identity/recovery-kit.ts';
import { KIT_BANNER_TEXTS } from '../texts/identity/recovery-kit-banner.ts';
import { LostGroups } from './lost-groups.tsx';
import styles from './recovery-kit.module.css';

export function ForgottenDialog({ onBack }: { readonly onBack: () => void }) {
  const masterPassword = useMasterPassword();
  const hasKit = useHasKit();
  /** Once it is the right one. */
  const [recoveryKey, setRecoveryKey] = useState<string | null>(null);

  const take = async (typed: string) => {
    const { isLocal } = await keyring.tryRecoveryKey(typed);
    if (!isLocal) {
      setRecoveryKey(typed);
      return;
    }
    await keyring.unlock({ recoveryKey: typed });
    masterPassword.openedOtherwise();
    tellDone(TEXTS.openedOffline);
  };
  const recovered = () => {
    weakMasterPassword.changed();
    masterPassword.openedOtherwise();
    tellDone(TEXTS.recovered);
    void kitOffer.used();
  };
  if (recoveryKey !== null) {
    return <ChooseNew recoveryKey={recoveryKey} onRecovered={recovered} onBack={onBack} />;
  }
  if (hasKit === false) return <NoKit onBack={onBack} />;
  return <AskKey isLookingUp={hasKit === null} onTyped={take} onBack={onBack} />;
}

/** Null until it is known. True without the server: a local copy may have one. */
function useHasKit(): boolean | null {
  const { user } = useSession();
  const id = user?.user_id;
  const [hasKit, setHasKit] = useState<boolean | null>(id === undefined ? true : null);
  useEffect(() => {
    if (id === undefined) return;
    http.call(get, { params: { id } }).then(
      ({ recovery_kit_at }) => setHasKit(recovery_kit_at !== null),
      () => setHasKit(true),
    );
  }, [id]);
  return hasKit;
}

function NoKit({ onBack }: { readonly onBack: () => void }) {
  return (
    <Dialog
      title={TEXTS.forgotTitle}
      onClose={onBack}
      footer={
        <Button variant="primary" ref={firstFocus} onPress={onBack}>
          {TEXTS.back}
        </Button>
      }
    >
      <div className={styles['form']}>
        <p className={styles['text']}>{TEXTS.noKit}</p>
        <LostGroups />
      </div>
    </Dialog>
  );
}

interface AskKeyProps {
  readonly isLookingUp: boolean;
  readonly onTyped: (typed: string) => Promise<void>;
  readonly onBack: () => void;
}

function AskKey({ isLookingUp, onTyped, onBack }: AskKeyProps) {
  const form = useId();
  const [input, focusAgain] = useFirstFocus();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isLookingUp) return;
    if (readRecoveryKey(typed) === null) {
      setProblem(KIT_BANNER_TEXTS.typo);
      focusAgain();
      return;
    }
    setProblem(null);
    setBusy(true);
    try {
      await onTyped(typed);
    } catch (failure) {
      setProblem(reasonOf(failure));
      focusAgain();
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={TEXTS.forgotTitle}
      subtitle={TEXTS.forgotHint}
      onClose={onBack}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.back}
          onCancel={onBack}
          isHeld={isBusy}
          submit={TEXTS.continue}
          submitting={isLookingUp ? TEXTS.lookingUp : TEXTS.opening}
          isBusy={isBusy || isLookingUp}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void submit(event)} noValidate autoComplete="off">
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <TextField
          ref={input}
          label={KIT_BANNER_TEXTS.key}
          hint={TEXTS.keyHint}
          value={typed}
          onChange={setTyped}
          size="lg"
          mono
          autoComplete="off"
          maxLength={200}
        />
      </form>
    </Dialog>
  );
}

interface ChooseNewProps {
  readonly recoveryKey: string;
  readonly onRecovered: () => void;
  readonly onBack: () => void;
}

function ChooseNew({ recoveryKey, onRecovered, onBack }: ChooseNewProps) {
  const { ask } = useSiteRules();
  const choice = useNewMasterPassword<RecoveringStep>(ask, {
    first: 'checking',
    send: async (newMasterPassword, onStep) => {
      await recoverWithKey({ http, keyring }, { recoveryKey, newMasterPassword }, onStep);
      onRecovered();
    },
    reasonOf: (failure) => {
      const isConflict = failure instanceof AppError && failure.code === 'slot_conflict';
      return isConflict ? TEXTS.changedElsewhere : reasonOf(failure);
    },
  });
  const texts = { close: TEXTS.back, submit: TEXTS.submit, busy: TEXTS.saving, step: TEXTS.steps[choice.step] };
  const labels = { next: TEXTS.newMaster, confirmation: TEXTS.newMasterConfirmation };
  return (
    <ChoiceDialog choice={choice} title={TEXTS.newTitle} subtitle={TEXTS.newHint} texts={texts} onClose={onBack}>
      <NewMasterPasswordFields choice={choice} labels={labels} />
    </ChoiceDialog>
  );
}
