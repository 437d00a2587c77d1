import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { DisputedBecause } from '@passwordbroker/core/domain/trust/judge-group';
import { useNavigate } from 'react-router';
import { tellFailure } from '../../activity-log/activity-log.ts';
import { lazyPart } from '../../lib/chunk.ts';
import { formatTime } from '../../lib/format.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { useMembersReload } from '../../members/table/use-members.ts';
import { TRUST_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { toast } from '@passwordbroker/ui/feedback/toast';
import type { GroupTrustDetails } from '@passwordbroker/client/vault/trust/trust';
import { useVault, useWhyNot } from '../../vault/use-vault.ts';
import { peopleNames, personName, useServerNames } from '../person-texts.ts';
import styles from '../trust.module.css';
import { useGroupTrust } from '../use-trust-state.ts';

const SignerQuestion = lazyPart('SignerQuestion', () => import('../questions/trust-question-dialogs.tsx'));
const GoOnDialog = lazyPart('GoOnDialog', () => import('./go-on-dialog.tsx'));
const CompareSigner = lazyPart('CompareSigner', () => import('./go-on-dialog.tsx'));

interface Props {
  readonly groupId: string;
  readonly isAdmin: boolean;
}

type Question =
  | { readonly kind: 'signer' | 'go on' }
  | { readonly kind: 'compare'; readonly signer: { readonly userId: string; readonly name: string } };

/** Why a group is read-only or does not open. An open dialog stays while the group is opened again. */
export function GroupTrustBanner({ groupId, isAdmin }: Props) {
  const details = useGroupTrust(groupId);
  const [question, setQuestion] = useState<Question | null>(null);
  useRenamed(details);
  const close = () => setQuestion(null);
  return (
    <>
      {details !== undefined && details.trust.state !== 'confirmed' && (
        <div className={styles['banner']}>
          <State groupId={groupId} details={details} isAdmin={isAdmin} onAsk={setQuestion} />
        </div>
      )}
      {question !== null && (
        <Suspense fallback={null}>
          {question.kind === 'signer' && <SignerQuestion groupId={groupId} onDecided={close} onClose={close} />}
          {question.kind === 'go on' && <GoOnDialog groupId={groupId} onClose={close} />}
          {question.kind === 'compare' && <CompareSigner groupId={groupId} signer={question.signer} onClose={close} />}
        </Suspense>
      )}
    </>
  );
}

interface StateProps extends Props {
  readonly details: GroupTrustDetails;
  readonly onAsk: (question: Question) => void;
}

function State({ groupId, details, isAdmin, onAsk }: StateProps) {
  const { names } = useServerNames(groupId);
  const { trust, newest, path, leftAt } = details;
  const signer = newest === null ? '' : personName(newest.signer, names);
  switch (trust.state) {
    case 'confirmed':
      return null;
    case 'locked':
      return <MessageBox tone="danger" title={TEXTS.lockedTitle} lines={[TEXTS.locked[trust.why], TEXTS.lockedHint]} />;
    case 'unsigned':
      // Admins sign the list in the banner about the group's key.
      return isAdmin ? null : (
        <MessageBox tone="warning" title={TEXTS.unsignedTitle} lines={[TEXTS.unsignedForMembers]} />
      );
    case 'disputed':
      return <Disputed groupId={groupId} details={details} why={trust.why} isAdmin={isAdmin} onAsk={onAsk} />;
    case 'unconfirmed':
      if (trust.why === 'no-proof')
        return <MessageBox tone="warning" title={TEXTS.noProofTitle} lines={[TEXTS.noProof]} />;
      if (trust.why === 'same-path') {
        const readers = peopleNames(newest?.people ?? [], names);
        return (
          <MessageBox
            tone="warning"
            title={TEXTS.samePathTitle(path.join(' / '))}
            lines={[TEXTS.samePath(signer, readers)]}
          >
            <Ask verb={TEXTS.showReaders} onPress={() => onAsk({ kind: 'signer' })} />
          </MessageBox>
        );
      }
      return (
        <MessageBox
          tone="warning"
          title={TEXTS.unconfirmedTitle}
          lines={[
            TEXTS.unconfirmed(signer),
            ...(leftAt === null ? [] : [TEXTS.left(signer, formatTime(leftAt * 1000))]),
          ]}
        >
          <Ask verb={TEXTS.confirmNow} onPress={() => onAsk({ kind: 'signer' })} />
        </MessageBox>
      );
  }
}

const Ask = ({ verb, onPress }: { readonly verb: string; readonly onPress: () => void }) => (
  <Verbs>
    <Verb onPress={onPress}>{verb}</Verb>
  </Verbs>
);

function Disputed({ groupId, details, why, isAdmin, onAsk }: StateProps & { readonly why: DisputedBecause }) {
  const navigate = useNavigate();
  const { names } = useServerNames(groupId);
  const { newest, mayGoOn } = details;
  if (why === 'returned') return <Returned groupId={groupId} details={details} />;
  if (why === 'record') {
    return (
      <MessageBox tone="warning" title={TEXTS.readOnlyTitle} lines={[TEXTS.readOnly.record]}>
        <Ask verb={TEXTS.whatToDo} onPress={() => void navigate('/account#trust')} />
      </MessageBox>
    );
  }
  if (why === 'key') {
    const name = newest === null ? '' : personName(newest.signer, names);
    return (
      <MessageBox tone="warning" title={TEXTS.readOnlyTitle} lines={[TEXTS.keyOfSigner(name)]}>
        {newest !== null && (
          <Ask
            verb={TEXTS.compareKey}
            onPress={() => onAsk({ kind: 'compare', signer: { userId: newest.signer.userId, name } })}
          />
        )}
      </MessageBox>
    );
  }
  const lines = [TEXTS.readOnly[why], TEXTS.readOnlyHint, ...(isAdmin ? [] : [TEXTS.forMembers])];
  return (
    <MessageBox tone="warning" title={TEXTS.readOnlyTitle} lines={lines}>
      {mayGoOn !== null && (
        <Ask
          verb={mayGoOn === 'admin' ? TEXTS.goOn : TEXTS.compareWithAdmin}
          onPress={() => onAsk({ kind: 'go on' })}
        />
      )}
    </MessageBox>
  );
}

type Decision = 'keep-out' | 'may-stay';

/** Removed by this account, but named again in the newest list. */
function Returned({ groupId, details }: { readonly groupId: string; readonly details: GroupTrustDetails }) {
  const { write } = useVault();
  const masterPassword = useMasterPassword();
  const reload = useMembersReload();
  const { names } = useServerNames(groupId);
  const [busy, setBusy] = useState<string | null>(null);
  const { newest, returned } = details;
  const decide = async (userId: string, name: string, decision: Decision) => {
    if (newest === null) return;
    setBusy(`${decision} ${userId}`);
    try {
      const operation = async () => write?.trust?.decideReturned(groupId, newest.hash, userId, decision);
      const label = decision === 'keep-out' ? TEXTS.keepOutAction(name) : TEXTS.letStayAction(name);
      await masterPassword.use(operation, { label });
    } catch (failure) {
      if (!(failure instanceof MasterPasswordCancelled)) tellFailure(reasonOf(failure));
    }
    setBusy(null);
    void reload([groupId]);
  };
  const signer = newest === null ? '' : personName(newest.signer, names);
  const people = returned.map(({ userId, name, removedAt }) => ({
    userId,
    name: personName({ userId, name, known: 'unknown' }, names),
    removedAt: formatTime(removedAt * 1000),
  }));
  return (
    <MessageBox
      tone="warning"
      title={TEXTS.readOnlyTitle}
      lines={people.map(({ name, removedAt }) => TEXTS.returned(name, removedAt, signer))}
    >
      {people.map(({ userId, name }) => (
        <Verbs key={userId}>
          {(['keep-out', 'may-stay'] as const).map((decision) => (
            <Verb
              key={decision}
              isBusy={busy === `${decision} ${userId}`}
              isDisabled={busy !== null || newest === null}
              onPress={() => void decide(userId, name, decision)}
            >
              {decision === 'keep-out' ? TEXTS.keepOut(name) : TEXTS.letStay(name)}
            </Verb>
          ))}
        </Verbs>
      ))}
    </MessageBox>
  );
}

interface VerbProps {
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
  readonly children: string;
}

function Verb({ isBusy = false, isDisabled = false, onPress, children }: VerbProps) {
  const whyNot = useWhyNot();
  return (
    <Button size="sm" busy={isBusy} busyLabel={TEXTS.keeping} isDisabled={isDisabled} whyNot={whyNot} onPress={onPress}>
      {children}
    </Button>
  );
}

const Verbs = ({ children }: { readonly children: ReactNode }) => <span className={styles['verbs']}>{children}</span>;

/** Tells a new name of a known group once; the trust record stores it. */
function useRenamed(details: GroupTrustDetails | undefined): void {
  const before = details?.formerName ?? null;
  const now = details?.path.at(-1) ?? '';
  useEffect(() => {
    if (before !== null) toast(TEXTS.groupRenamed(now, before));
  }, [before, now]);
}
