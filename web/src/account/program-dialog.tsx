/** Lets a program sign in that showed the address of this page (ADR 44). Only this dialog's state holds the code. */
import { useState } from 'react';
import { admitProgram } from '@passwordbroker/core/contract/account/programs';
import { readProgramLink, shownChallenge } from '@passwordbroker/core/domain/factors/program-link';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Dialog, firstFocus } from '@passwordbroker/ui/overlays/dialog';
import { SecretLine } from '../fields/value/secret-line.tsx';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { useSession } from '../session/use-session.ts';
import { PROGRAM_TEXTS as TEXTS } from '../texts/identity/program.ts';
import styles from './account.module.css';

interface Props {
  /** Of the address. */
  readonly hash: string;
  readonly onClose: () => void;
}

export function ProgramDialog({ hash, onClose }: Props) {
  const asking = readProgramLink(hash);
  const { user } = useSession();
  const [code, setCode] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const close = (label: string) => <Button onPress={onClose}>{label}</Button>;
  if (asking === null || user === null)
    return (
      <Dialog title={TEXTS.title} onClose={onClose} footer={close(TEXTS.cancel)}>
        <MessageBox tone="danger" lines={[TEXTS.damaged]} />
      </Dialog>
    );
  if (code !== null)
    return (
      <Dialog key="code" title={TEXTS.codeTitle} subtitle={TEXTS.lifetime} onClose={onClose} footer={close(TEXTS.done)}>
        <div className={styles['form']}>
          <SecretLine secret={code} copyLabel={TEXTS.copy} />
          <MessageBox tone="warning" lines={[TEXTS.nobody]} />
        </div>
      </Dialog>
    );

  const { challenge, computer } = asking;
  const allow = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const admitted = await freshSignIn.tryRun(() => http.call(admitProgram, { body: { challenge } }));
      if (admitted !== null) setCode(admitted.code);
    } catch (failure) {
      setProblem(reasonOf(failure));
    }
    setBusy(false);
  };
  return (
    <Dialog
      key="asking"
      title={TEXTS.title}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <>
          <Button variant="ghost" isDisabled={isBusy} onPress={onClose}>
            {TEXTS.cancel}
          </Button>
          <Button variant="primary" busy={isBusy} busyLabel={TEXTS.allowing} onPress={() => void allow()}>
            {TEXTS.allow}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <p ref={firstFocus} tabIndex={-1}>
          {TEXTS.what}
          <br />
          <b>{TEXTS.account(user.name, user.email)}</b>
        </p>
        {computer !== '' && <p>{TEXTS.computer(computer)}</p>}
        <p>
          {TEXTS.compare} <code>{shownChallenge(challenge)}</code>
        </p>
        <MessageBox tone="warning" lines={TEXTS.warning} />
      </div>
    </Dialog>
  );
}
