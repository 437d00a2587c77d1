/** docs/spec/crypto.md §16 */
import { type FormEvent, useState } from 'react';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { OFFLINE_LOGIN_TEXTS as TEXTS } from '../texts/offline.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { IdentityFrame } from './identity-frame.tsx';
import styles from './identity-frame.module.css';
import { offline } from '../page/vault.ts';

export function KeepCopyQuestion({ onAnswered }: { readonly onAnswered: () => void }) {
  const [keep, setKeep] = useState(() => offline.getState().keepAtLogout);
  const [problem, setProblem] = useState<string | null>(null);
  usePageTitle(TEXTS.logout);
  const answer = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(null);
    try {
      await offline.setKeepAtLogout(keep);
      onAnswered();
    } catch (failure) {
      setProblem(reasonOf(failure));
    }
  };
  return (
    <IdentityFrame
      side={
        <>
          <h2>{TEXTS.sideLogout}</h2>
          <p>{TEXTS.sideLogoutText}</p>
        </>
      }
    >
      <form onSubmit={(event) => void answer(event)}>
        <div className={styles['heading']}>
          <h1>{TEXTS.logout}</h1>
        </div>
        <MessageBox tone="info" title={TEXTS.keepQuestion} lines={[TEXTS.keepText]} />
        <Checkbox isSelected={keep} onChange={setKeep}>
          {TEXTS.keepCopy}
        </Checkbox>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <Button variant="primary" size="lg" type="submit" autoFocus>
          {TEXTS.logout}
        </Button>
      </form>
    </IdentityFrame>
  );
}
