import { useState, useSyncExternalStore } from 'react';
import { useVault } from '../../vault/use-vault.ts';
import { trustQuestions } from '../../page/vault.ts';
import { useQueryClient } from '@tanstack/react-query';
import { PersonInitials } from '../../app/layout/person-initials.tsx';
import { KeyCard, KeyDetails } from '../../members/keys/key-words.tsx';
import { formatTime } from '../../lib/format.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { TRUST_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog, firstFocus } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import type { GroupTrustDetails } from '@passwordbroker/client/vault/trust/trust';
import { peopleNames, useServerNames, useKeyWords } from '../person-texts.ts';
import { useAccountTrust } from '../use-trust-state.ts';
import { TRUST_RECORD_TEXTS } from '../../texts/groups/trust-record.ts';

export function TrustQuestionDialogs() {
  const question = useSyncExternalStore(trustQuestions.subscribe, trustQuestions.view);
  if (question === null) return null;
  const { decided, cancel } = trustQuestions;
  return question.kind === 'last-use' ? (
    <LastUseDialog onDecided={decided} onClose={cancel} />
  ) : (
    <SignerQuestion key={question.groupId} groupId={question.groupId} onDecided={decided} onClose={cancel} />
  );
}

interface Props {
  readonly groupId: string;
  readonly onDecided: () => void;
  readonly onClose: () => void;
}

/** Keeps the state of the group when it opened, even if the server shows another list meanwhile. */
export function SignerQuestion({ groupId, onDecided, onClose }: Props) {
  const { trust } = useVault();
  const [details] = useState(() => trust?.details(groupId));
  const newest = details?.newest ?? null;
  if (details === undefined || newest === null) return null;
  return <SignerDialog groupId={groupId} details={{ ...details, newest }} onDecided={onDecided} onClose={onClose} />;
}

type Decision = 'words' | 'first-use';

interface SignerDialogProps {
  readonly groupId: string;
  readonly details: GroupTrustDetails & { readonly newest: NonNullable<GroupTrustDetails['newest']> };
  readonly onDecided: () => void;
  readonly onClose: () => void;
}

/**
 * Asks about the signer of an unconfirmed group. The decision is valid only for the list and key that were
 * shown.
 */
export function SignerDialog({ groupId, details, onDecided, onClose }: SignerDialogProps) {
  const vault = useVault();
  const client = useQueryClient();
  const masterPassword = useMasterPassword();
  const isStrict = useAccountTrust()?.isStrict ?? false;
  const [busy, setBusy] = useState<Decision | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { newest, path, trust } = details;
  const { names } = useServerNames(groupId);
  const words = useKeyWords(newest.signer.fingerprint).get(newest.signer.fingerprint);
  const name = newest.signer.name ?? names.get(newest.signer.userId) ?? TEXTS.unnamed(newest.signer.userId);
  const isSamePath = trust.state === 'unconfirmed' && trust.why === 'same-path';

  const decide = async (how: Decision) => {
    setProblem(null);
    setBusy(how);
    const shown = { hash: newest.hash, signer: { ...newest.signer, name } };
    try {
      const operation = async () => vault.write?.trust?.confirmSigner(groupId, shown, how);
      await masterPassword.use(operation, { label: TEXTS.lookAction(name) });
      void client.invalidateQueries({ queryKey: [vault.mode, 'key trust'] });
      onDecided();
    } catch (failure) {
      if (!(failure instanceof MasterPasswordCancelled)) setProblem(TEXTS.keepFailed(reasonOf(failure)));
      setBusy(null);
    }
  };
  return (
    <Dialog
      title={isSamePath ? TEXTS.samePathTitle(path.join(' / ')) : TEXTS.whoShares(path.at(-1) ?? '')}
      mark={<PersonInitials name={name} />}
      role="alertdialog"
      size="md"
      onClose={onClose}
      isBusy={busy !== null}
      footer={
        <>
          {/* Enter alone confirms nothing. */}
          <Button variant="ghost" ref={firstFocus} isDisabled={busy !== null} onPress={onClose}>
            {TEXTS.cancel}
          </Button>
          {!isSamePath && !isStrict && (
            <Button
              busy={busy === 'first-use'}
              busyLabel={TEXTS.keeping}
              isDisabled={busy !== null || words === undefined}
              onPress={() => void decide('first-use')}
            >
              {TEXTS.forNow}
            </Button>
          )}
          <Button
            variant="primary"
            busy={busy === 'words'}
            busyLabel={TEXTS.keeping}
            isDisabled={busy !== null || words === undefined}
            onPress={() => void decide('words')}
          >
            {TEXTS.compared}
          </Button>
        </>
      }
    >
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {isSamePath && <MessageBox tone="warning" lines={[TEXTS.samePathWarning]} />}
      {details.leftAt !== null && (
        <MessageBox tone="warning" lines={[TEXTS.left(name, formatTime(details.leftAt * 1000))]} />
      )}
      <p>{newest.signer.name === null ? TEXTS.whoSharesText(name) : TEXTS.whoSharesKnown(name)}</p>
      {words === undefined ? <Spinner /> : <KeyCard title={TEXTS.wordsOf(name)} current={words} />}
      <p>{TEXTS.readersOf(peopleNames(newest.people, names))}</p>
      <KeyDetails fingerprint={newest.signer.fingerprint} />
    </Dialog>
  );
}

interface LastUseDialogProps {
  readonly onDecided: () => void;
  readonly onClose: () => void;
}

/** Asked once in a new browser, before the first write. */
export function LastUseDialog({ onDecided, onClose }: LastUseDialogProps) {
  const { write } = useVault();
  const account = useAccountTrust();
  const [busy, setBusy] = useState<'yes' | 'no' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const lastUse = account?.lastUse ?? null;

  const answer = async (isRight: boolean) => {
    setProblem(null);
    setBusy(isRight ? 'yes' : 'no');
    try {
      await write?.trust?.answerLastUse(isRight);
      // After "no" nothing is written while the record is in doubt.
      if (isRight) onDecided();
      else onClose();
    } catch (failure) {
      setProblem(TEXTS.keepFailed(reasonOf(failure)));
      setBusy(null);
    }
  };
  return (
    <Dialog
      title={TRUST_RECORD_TEXTS.lastUseTitle}
      role="alertdialog"
      size="md"
      onClose={onClose}
      isBusy={busy !== null}
      footer={
        <>
          <Button variant="ghost" ref={firstFocus} isDisabled={busy !== null} onPress={onClose}>
            {TEXTS.cancel}
          </Button>
          <Button
            busy={busy === 'no'}
            busyLabel={TRUST_RECORD_TEXTS.answering}
            isDisabled={busy !== null}
            onPress={() => void answer(false)}
          >
            {TRUST_RECORD_TEXTS.no}
          </Button>
          <Button
            variant="primary"
            busy={busy === 'yes'}
            busyLabel={TRUST_RECORD_TEXTS.answering}
            isDisabled={busy !== null}
            onPress={() => void answer(true)}
          >
            {TRUST_RECORD_TEXTS.yes}
          </Button>
        </>
      }
    >
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {lastUse !== null && (
        <p>
          <b>{lastUseText(lastUse)}</b>
        </p>
      )}
      <p>{TRUST_RECORD_TEXTS.lastUseWhy}</p>
    </Dialog>
  );
}

function lastUseText({
  at,
  browser,
  group,
}: {
  readonly at: number;
  readonly browser: string;
  readonly group: readonly string[] | null;
}): string {
  const time = formatTime(at * 1000);
  return group === null
    ? TRUST_RECORD_TEXTS.lastUse(time, browser)
    : TRUST_RECORD_TEXTS.lastUseIn(time, browser, group.join(' / '));
}
