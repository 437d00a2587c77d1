/** For an account from before release 1.1: groups that the own key signed, and confirmed keys. */
import { useEffect, useState, type FormEvent, useId } from 'react';
import { tellDone } from '../../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { TRUST_RECORD_TEXTS as TEXTS } from '../../texts/groups/trust-record.ts';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Dialog, firstFocus } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import type { RecordProposal } from '@passwordbroker/client/vault/trust/trust';
import { useVault } from '../../vault/use-vault.ts';
import { peopleNames } from '../person-texts.ts';
import styles from '../trust.module.css';
import { useSession } from '../../session/use-session.ts';
import { TextField } from '@passwordbroker/ui/inputs/text-field';

const NO_NAMES: ReadonlyMap<string, string> = new Map();

export function SetUpRecordDialog({ onClose }: { readonly onClose: () => void }) {
  const { write } = useVault();
  const masterPassword = useMasterPassword();
  const [proposal, setProposal] = useState<RecordProposal | null>(null);
  /** Ids that the person unticked. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const wanted = new AbortController();
    masterPassword
      .use(async () => write?.trust?.proposeRecord() ?? null, { label: TEXTS.setUpAction, signal: wanted.signal })
      .then(setProposal)
      .catch((failure: unknown) => {
        if (wanted.signal.aborted) return;
        if (failure instanceof MasterPasswordCancelled) onClose();
        else setProblem(TEXTS.failed(reasonOf(failure)));
      });
    return () => wanted.abort();
  }, [write, masterPassword, onClose]);

  const tick = (id: string, isTicked: boolean) =>
    setLeft((before) => new Set(isTicked ? [...before].filter((one) => one !== id) : [...before, id]));
  const setUp = async ({ groups, people }: RecordProposal) => {
    setProblem(null);
    setBusy(true);
    const groupIds = groups.map(({ groupId }) => groupId).filter((id) => !left.has(id));
    const userIds = people.map(({ userId }) => userId).filter((id) => !left.has(id));
    try {
      await masterPassword.use(async () => write?.trust?.setUpRecord({ groupIds, userIds }), {
        label: TEXTS.setUpAction,
      });
      tellDone(TEXTS.isSetUp(groupIds.length));
      onClose();
    } catch (failure) {
      if (!(failure instanceof MasterPasswordCancelled)) setProblem(TEXTS.failed(reasonOf(failure)));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={TEXTS.setUpTitle}
      size="md"
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <>
          <Button variant="ghost" ref={firstFocus} isDisabled={isBusy} onPress={onClose}>
            {TRUST_TEXTS.cancel}
          </Button>
          <Button
            variant="primary"
            busy={isBusy}
            busyLabel={TEXTS.settingUp}
            isDisabled={proposal === null}
            onPress={() => proposal !== null && void setUp(proposal)}
          >
            {TEXTS.right}
          </Button>
        </>
      }
    >
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {proposal === null && problem === null && (
        <p role="status">
          <Spinner /> {TEXTS.reading}
        </p>
      )}
      {proposal !== null && <Ticks proposal={proposal} left={left} isBusy={isBusy} onTick={tick} />}
    </Dialog>
  );
}

interface TicksProps {
  readonly proposal: RecordProposal;
  readonly left: ReadonlySet<string>;
  readonly isBusy: boolean;
  readonly onTick: (id: string, isTicked: boolean) => void;
}

function Ticks({ proposal: { groups, people }, left, isBusy, onTick }: TicksProps) {
  if (groups.length + people.length === 0) return <p>{TEXTS.setUpNothing}</p>;
  return (
    <>
      <p>{TEXTS.setUpText}</p>
      {groups.length > 0 && (
        <fieldset className={styles['ticks']}>
          <legend>{TEXTS.setUpGroups}</legend>
          {groups.map(({ groupId, path, people: members }) => (
            <Checkbox
              key={groupId}
              isSelected={!left.has(groupId)}
              isDisabled={isBusy}
              hint={TEXTS.setUpMembers(peopleNames(members, NO_NAMES))}
              onChange={(isTicked) => onTick(groupId, isTicked)}
            >
              {path.join(' / ')}
            </Checkbox>
          ))}
        </fieldset>
      )}
      {people.length > 0 && (
        <fieldset className={styles['ticks']}>
          <legend>{TEXTS.setUpPeople}</legend>
          {people.map(({ userId, name }) => (
            <Checkbox
              key={userId}
              isSelected={!left.has(userId)}
              isDisabled={isBusy}
              onChange={(isTicked) => onTick(userId, isTicked)}
            >
              {name}
            </Checkbox>
          ))}
        </fieldset>
      )}
    </>
  );
}

/**
 * Replaces a missing or doubted record by an empty one. Requires typing the e-mail address, to prevent
 * mistakes.
 */
export function NewRecordDialog({ onClose }: { readonly onClose: () => void }) {
  const form = useId();
  const { write } = useVault();
  const { user } = useSession();
  const masterPassword = useMasterPassword();
  const [email, setEmail] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (email.trim().toLowerCase() !== user?.email.toLowerCase()) {
      setProblem(TEXTS.newMismatch);
      return;
    }
    setProblem(null);
    setBusy(true);
    try {
      await masterPassword.use(async () => write?.trust?.beginNewRecord(), { label: TEXTS.beginAction });
      tellDone(TEXTS.begun);
      onClose();
    } catch (failure) {
      if (!(failure instanceof MasterPasswordCancelled)) setProblem(TEXTS.failed(reasonOf(failure)));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={TEXTS.newTitle}
      role="alertdialog"
      size="md"
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <>
          <Button variant="ghost" ref={firstFocus} isDisabled={isBusy} onPress={onClose}>
            {TRUST_TEXTS.cancel}
          </Button>
          <Button type="submit" form={form} variant="danger" busy={isBusy} busyLabel={TEXTS.beginning}>
            {TEXTS.beginNew}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} noValidate>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <p>{TEXTS.newText}</p>
        <TextField
          label={TEXTS.newEmail}
          value={email}
          onChange={setEmail}
          type="email"
          autoComplete="off"
          maxLength={255}
        />
      </form>
    </Dialog>
  );
}
