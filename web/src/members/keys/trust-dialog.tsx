import { useState } from 'react';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { EntryCancelled } from '@passwordbroker/client/master-password/master-password';
import { TRUST_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { firstFocus } from '@passwordbroker/ui/inputs/first-focus';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import type { KeyTrust } from '@passwordbroker/client/vault/groups/people';
import { KeyCard, KeyDetails, WordList } from './key-words.tsx';
import styles from './key-words.module.css';
import { PersonInitials } from '../../app/layout/person-initials.tsx';

/** A key that needs a decision. A trusted one can still be viewed or compared. */
export type AskedTrust = Exclude<KeyTrust, { readonly state: 'none' }>;
export type Decision = 'words' | 'first-use';

interface Props {
  readonly name: string;
  /** null if the caller may not see it. */
  readonly email: string | null;
  readonly trust: AskedTrust;
  /** Hides 'Trust for now'. */
  readonly isStrict: boolean;
  /** Stores the decision. The caller closes the dialog. */
  readonly onDecide: (decision: Decision) => Promise<void>;
  readonly onClose: () => void;
}

/**
 * Shows a key at the first share and after it changed (docs/spec/crypto.md §13). Nothing is sent before the
 * decision; a changed key cannot be trusted 'for now'.
 */
export function TrustDialog({ name, email, trust, isStrict, onDecide, onClose }: Props) {
  const [busy, setBusy] = useState<Decision | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const decide = async (decision: Decision) => {
    setProblem(null);
    setBusy(decision);
    try {
      await onDecide(decision);
    } catch (failure) {
      if (!(failure instanceof EntryCancelled)) setProblem(TEXTS.keepFailed(reasonOf(failure)));
      setBusy(null);
    }
  };
  const isChanged = trust.state === 'changed';
  const isVerified = trust.state === 'trusted' && trust.how !== 'first-use';
  return (
    <Dialog
      title={titleOf(name, trust)}
      {...(email === null ? {} : { subtitle: email })}
      mark={<PersonInitials name={name} />}
      size="md"
      onClose={onClose}
      isBusy={busy !== null}
      footer={
        <>
          {/* Enter alone confirms nothing. */}
          <Button variant="ghost" ref={firstFocus} isDisabled={busy !== null} onPress={onClose}>
            {isVerified ? TEXTS.close : TEXTS.cancel}
          </Button>
          {trust.state === 'unknown' && !isStrict && (
            <Button
              busy={busy === 'first-use'}
              busyLabel={TEXTS.keeping}
              isDisabled={busy !== null}
              onPress={() => void decide('first-use')}
            >
              {TEXTS.forNow}
            </Button>
          )}
          {!isVerified && (
            <Button
              variant="primary"
              busy={busy === 'words'}
              busyLabel={TEXTS.keeping}
              isDisabled={busy !== null}
              onPress={() => void decide('words')}
            >
              {TEXTS.compared}
            </Button>
          )}
        </>
      }
    >
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {isChanged ? (
        <>
          <MessageBox tone="warning" lines={[TEXTS.changedText(name)]} />
          <div className={styles['pair']}>
            <WordList title={TEXTS.wordsBefore} words={trust.pinned.words} />
            <WordList title={TEXTS.wordsNow} words={trust.current.words} unlike={trust.pinned.words} />
          </div>
        </>
      ) : (
        <>
          <p>{isVerified ? TEXTS.verifiedText(name) : TEXTS.compareText(name)}</p>
          <KeyCard title={TEXTS.wordsOf(name)} current={trust.current} />
        </>
      )}
      {trust.state === 'trusted' && trust.renewed && <MessageBox tone="info" lines={[TEXTS.renewed(name)]} />}
      {trust.state === 'trusted' && trust.formerName !== null && (
        <MessageBox tone="info" lines={[TEXTS.renamed(name, trust.formerName)]} />
      )}
      <KeyDetails fingerprint={trust.current.fingerprint} />
    </Dialog>
  );
}

function titleOf(name: string, trust: AskedTrust): string {
  if (trust.state === 'changed') return TEXTS.changedTitle(name);
  return trust.state === 'unknown' ? TEXTS.firstTitle(name) : TEXTS.keyOf(name);
}
