/** Recovery codes: shown once, made anew, and checked without using them. */
import { type FormEvent, useId, useState } from 'react';
import { checkRecoveryCode, makeRecoveryCodes } from '@passwordbroker/core/contract/account/factors';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { Dialog, firstFocus, FormVerbs, useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { useSession } from '../session/use-session.ts';
import { FACTORS_TEXTS } from '../texts/identity/factors.ts';
import styles from './factors.module.css';
import { fewCodes } from './few-codes.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

const TEXTS = FACTORS_TEXTS.codes;

interface CodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** Closes only when the person says that the codes are kept. */
export function RecoveryCodesDialog({ codes, onKept }: CodesProps) {
  const { user } = useSession();
  return (
    <Dialog
      title={TEXTS.shown}
      size="md"
      mustAnswer
      onClose={onKept}
      footer={
        <Button variant="primary" ref={firstFocus} onPress={onKept}>
          {TEXTS.kept}
        </Button>
      }
    >
      <RecoveryCodes codes={codes} email={user?.email ?? ''} />
    </Dialog>
  );
}

/** Null if the person closed the dialog of the fresh sign-in. */
export async function newRecoveryCodes(): Promise<readonly string[] | null> {
  const made = await freshSignIn.tryRun(() => http.call(makeRecoveryCodes));
  if (made === null) return null;
  fewCodes.tell(made.codes.length);
  return made.codes;
}

interface MakeProps {
  readonly onMade: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

export function MakeCodesDialog({ onMade, onClose }: MakeProps) {
  return (
    <ConfirmDialog
      title={TEXTS.makeTitle}
      cancel={FACTORS_TEXTS.cancel}
      confirm={TEXTS.makeNew}
      confirming={TEXTS.making}
      isHarmless
      onConfirm={async () => {
        const codes = await newRecoveryCodes();
        if (codes !== null) onMade(codes);
      }}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p>{TEXTS.makeText}</p>
    </ConfirmDialog>
  );
}

export function CheckCodeDialog({ onClose }: { readonly onClose: () => void }) {
  const form = useId();
  const [input, focusAgain] = useFirstFocus();
  const [code, setCode] = useState('');
  const [isGood, setGood] = useState<boolean | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setGood(null);
    if (code.trim() === '') return setProblem(TEXTS.missing);
    setBusy(true);
    setProblem(null);
    try {
      const answer = await freshSignIn.tryRun(() => http.call(checkRecoveryCode, { body: { code } }));
      setGood(answer?.is_good ?? null);
    } catch (failure) {
      setProblem(reasonOf(failure));
    }
    setBusy(false);
    focusAgain();
  };
  return (
    <Dialog
      title={TEXTS.check}
      subtitle={TEXTS.checkText}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={FACTORS_TEXTS.done}
          onCancel={onClose}
          submit={TEXTS.check}
          submitting={TEXTS.checking}
          isBusy={isBusy}
        />
      }
    >
      <form id={form} className={styles['stack']} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          ref={input}
          label={TEXTS.code}
          value={code}
          onChange={setCode}
          mono
          autoComplete="off"
          maxLength={64}
          isInvalid={problem !== null || isGood === false}
        />
        {isGood !== null && (
          <MessageBox tone={isGood ? 'success' : 'warning'} lines={[isGood ? TEXTS.good : TEXTS.notGood]} />
        )}
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      </form>
    </Dialog>
  );
}
