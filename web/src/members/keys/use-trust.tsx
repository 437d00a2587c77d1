import { useCallback, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { MEMBER_TEXTS } from '../../texts/groups/members.ts';
import { TRUST_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { useAccountTrust } from '../../trust/use-trust-state.ts';
import type { KeyTrust } from '@passwordbroker/client/vault/groups/people';
import { useVault } from '../../vault/use-vault.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog, firstFocus } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { KeyCard, KeyDetails, WordList } from './key-words.tsx';
import styles from './key-words.module.css';
import { PersonInitials } from '../../app/layout/person-initials.tsx';

export interface AskedPerson {
  readonly userId: string;
  readonly name: string;
  readonly email?: string | null;
  /** Absent: a person. */
  readonly kind?: 'service' | undefined;
}

interface Question {
  readonly person: AskedPerson;
  readonly trust: AskedTrust;
  /** Hides 'Trust for now'. */
  readonly isStrict: boolean;
  readonly answer: (fingerprint: string | null) => void;
}

/** The person has no keys yet, so nothing can be wrapped for them. */
class NoKeys extends Error {
  override readonly name = 'NoKeys';
}

interface Trust {
  /**
   * Returns the confirmed fingerprint; null if the dialog was closed.
   * @param meanwhile runs once the vault is open, before the question is answered
   * @throws NoKeys, MasterPasswordCancelled
   */
  readonly confirmed: (person: AskedPerson, meanwhile?: () => void) => Promise<string | null>;
  /** Like `confirmed`, but the key must have been compared; trust on first use is not enough. */
  readonly compared: (person: AskedPerson) => Promise<string | null>;
  readonly look: (person: AskedPerson) => Promise<void>;
  /** To be rendered by the caller. */
  readonly dialog: ReactNode;
}

export function useTrust(): Trust {
  const vault = useVault();
  const client = useQueryClient();
  const masterPassword = useMasterPassword();
  const [question, setQuestion] = useState<Question | null>(null);
  const isSiteStrict = useAccountTrust()?.isStrict ?? false;

  const trustOf = useCallback(
    (person: AskedPerson, meanwhile?: () => void): Promise<KeyTrust> => {
      const look = () => {
        const trust = vault.read.keyTrust(person);
        meanwhile?.();
        return trust;
      };
      return masterPassword.use(look, { label: TEXTS.lookAction(person.name) });
    },
    [vault, masterPassword],
  );
  const ask = useCallback(
    (person: AskedPerson, trust: AskedTrust, isStrict = false) =>
      new Promise<string | null>((resolve) => {
        setQuestion({
          person,
          trust,
          isStrict,
          answer: (fingerprint) => {
            setQuestion(null);
            resolve(fingerprint);
          },
        });
      }),
    [],
  );
  const { members } = vault.write ?? {};
  /**
   * Pins the renewed key, so that its successor is verified against it. On failure the former pin stays
   * valid.
   */
  const takeRenewed = useCallback(
    (person: AskedPerson, fingerprint: string) =>
      members?.confirmKey(person, fingerprint, 'renewed').catch(() => undefined),
    [members],
  );
  const confirmed = useCallback(
    async (person: AskedPerson, meanwhile?: () => void) => {
      const trust = await trustOf(person, meanwhile);
      if (trust.state === 'none') throw new NoKeys(MEMBER_TEXTS.noKeys(person.name));
      if (trust.state !== 'trusted') return ask(person, trust);
      if (trust.renewed) {
        toast(TEXTS.renewed(person.name));
        await takeRenewed(person, trust.current.fingerprint);
      }
      if (trust.formerName !== null) toast(TEXTS.renamed(person.name, trust.formerName));
      return trust.current.fingerprint;
    },
    [trustOf, ask, takeRenewed],
  );
  const compared = useCallback(
    async (person: AskedPerson) => {
      const trust = await trustOf(person);
      if (trust.state === 'none') throw new NoKeys(MEMBER_TEXTS.noKeys(person.name));
      const isCompared = trust.state === 'trusted' && trust.how !== 'first-use' && trust.how !== 'api';
      return isCompared ? trust.current.fingerprint : ask(person, trust, true);
    },
    [trustOf, ask],
  );
  const look = useCallback(
    async (person: AskedPerson) => {
      const trust = await trustOf(person);
      if (trust.state === 'none') throw new NoKeys(MEMBER_TEXTS.noKeys(person.name));
      await ask(person, trust);
    },
    [trustOf, ask],
  );
  const keep = async ({ person, trust, answer }: Question, decision: Decision) => {
    if (members === undefined) return;
    const { fingerprint } = trust.current;
    await masterPassword.use(() => members.confirmKey(person, fingerprint, decision), {
      label: TEXTS.lookAction(person.name),
    });
    void client.invalidateQueries({ queryKey: [vault.mode, 'key trust'] });
    answer(fingerprint);
  };
  const dialog = (
    <>
      {question !== null && (
        <TrustDialog
          key={question.person.userId}
          name={question.person.name}
          email={question.person.email ?? null}
          trust={question.trust}
          isStrict={question.isStrict || isSiteStrict}
          onDecide={(decision) => keep(question, decision)}
          onClose={() => question.answer(null)}
        />
      )}
    </>
  );
  return { confirmed, compared, look, dialog };
}

/** A key that needs a decision. A trusted one can still be viewed or compared. */
type AskedTrust = Exclude<KeyTrust, { readonly state: 'none' }>;
type Decision = 'words' | 'first-use';

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
function TrustDialog({ name, email, trust, isStrict, onDecide, onClose }: Props) {
  const [busy, setBusy] = useState<Decision | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const decide = async (decision: Decision) => {
    setProblem(null);
    setBusy(decision);
    try {
      await onDecide(decision);
    } catch (failure) {
      if (!(failure instanceof MasterPasswordCancelled)) setProblem(TEXTS.keepFailed(reasonOf(failure)));
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
