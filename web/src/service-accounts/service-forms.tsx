/** The forms of a new service account, and of changes to one. */
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { ServiceAccount } from '@passwordbroker/core/contract/users/service-accounts';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS, SERVICE_LIMITS } from '@passwordbroker/core/domain/limits';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { MadeService } from '@passwordbroker/client/vault/service-accounts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { ChipField } from '@passwordbroker/ui/inputs/chip-field';
import { TextArea } from '@passwordbroker/ui/inputs/text-area';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, firstFocus, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { tellDone } from '../activity-log/activity-log.ts';
import type { TargetGroup } from '../entries/group-picker/find-targets.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { servers } from '../page/page.ts';
import { SERVICE_TEXTS as TEXTS } from '../texts/identity/services.ts';
import { GroupsField } from './groups-field.tsx';
import styles from './services.module.css';

interface AddProps {
  readonly write: VaultWrite;
  readonly onMade: (made: MadeService) => void;
  readonly onClose: () => void;
}

export function AddDialog({ write, onMade, onClose }: AddProps) {
  const masterPassword = useMasterPassword();
  const [facts, setFacts] = useState<Facts>({ name: '', description: '', networks: [] });
  const [days, setDays] = useState(String(SERVICE_LIMITS.usualDays));
  const [groups, setGroups] = useState<readonly TargetGroup[]>([]);
  const make = async () => {
    const asked = {
      ...facts,
      days: Number(days),
      groupIds: groups.map(({ id }) => id),
      origin: servers.chosen() ?? location.origin,
    };
    const run = async () => (await write.services()).create(asked);
    onMade(await masterPassword.use(run, { label: TEXTS.addAction }));
  };
  return (
    <ServiceForm
      title={TEXTS.addTitle}
      submit={TEXTS.create}
      submitting={TEXTS.creating}
      facts={facts}
      onChange={setFacts}
      onSubmit={make}
      onClose={onClose}
    >
      <GroupsField groups={groups} onChange={setGroups} />
      <DaysField days={days} onChange={setDays} />
    </ServiceForm>
  );
}

interface ChangeProps {
  readonly account: ServiceAccount;
  readonly write: VaultWrite;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ChangeDialog({ account, write, onDone, onClose }: ChangeProps) {
  const { user_id: id, name, description, allowed_networks } = account;
  const [facts, setFacts] = useState<Facts>({ name, description, networks: allowed_networks });
  const [isDisabled, setDisabled] = useState(account.disabled);
  const save = async () => {
    const { networks, ...named } = facts;
    const change = { ...named, allowed_networks: [...networks], disabled: isDisabled };
    const changed = await (await write.services()).change(id, change);
    tellDone(TEXTS.changed(changed.name));
    onDone();
  };
  return (
    <ServiceForm
      title={TEXTS.changeTitle(name)}
      submit={TEXTS.save}
      submitting={TEXTS.saving}
      facts={facts}
      onChange={setFacts}
      onSubmit={save}
      onClose={onClose}
    >
      <Checkbox isSelected={isDisabled} onChange={setDisabled} hint={TEXTS.disableHint}>
        {TEXTS.disable}
      </Checkbox>
    </ServiceForm>
  );
}

interface Facts {
  readonly name: string;
  readonly description: string;
  readonly networks: readonly string[];
}

interface FormProps {
  readonly title: string;
  readonly submit: string;
  readonly submitting: string;
  readonly facts: Facts;
  readonly onChange: (facts: Facts) => void;
  /** What it throws is shown. */
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function ServiceForm({ title, submit, submitting, facts, onChange, onSubmit, onClose, children }: FormProps) {
  const form = useId();
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      await onSubmit();
    } catch (thrown) {
      if (!(thrown instanceof MasterPasswordCancelled)) setFailure(thrown);
      setBusy(false);
    }
  };
  const wrong = wrongNetworks(failure, facts.networks);
  const problems = failure === null ? [] : problemsOf(failure);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={onClose}
          submit={submit}
          submitting={submitting}
          isBusy={isBusy}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void run(event)} noValidate>
        {problems.length > 0 && <MessageBox tone="danger" lines={problems} />}
        <TextField
          label={TEXTS.name}
          hint={TEXTS.nameHint}
          value={facts.name}
          onChange={(name) => onChange({ ...facts, name })}
          ref={firstFocus}
          maxLength={LIMITS.userName}
          autoComplete="off"
        />
        <TextArea
          label={TEXTS.description}
          isOptional
          rows={2}
          value={facts.description}
          onChange={(description) => onChange({ ...facts, description })}
        />
        <ChipField
          label={TEXTS.networksLabel}
          isOptional
          hint={TEXTS.networksHint}
          values={facts.networks}
          onChange={(networks) => onChange({ ...facts, networks })}
          suggestions={[]}
          removeLabel={TEXTS.removeNetwork}
          error={wrong}
        />
        {children}
      </form>
    </Dialog>
  );
}

const NETWORK = /^allowed_networks\.(\d+)$/;

/** Null: the server refused none. */
function wrongNetworks(failure: unknown, networks: readonly string[]): string | null {
  const errors = failure instanceof AppError ? Object.entries(failure.errors ?? {}) : [];
  const lines = errors.flatMap(([member, [reason = '']]) => {
    const at = NETWORK.exec(member)?.[1];
    return at === undefined ? [] : [TEXTS.wrongNetwork(networks[Number(at)] ?? '', reason)];
  });
  return lines.length === 0 ? null : lines.join(' ');
}

/** Sentences for what was thrown, without those about single networks. */
export function problemsOf(failure: unknown): readonly string[] {
  const errors = failure instanceof AppError ? Object.entries(failure.errors ?? {}) : [];
  if (errors.length === 0) return [reasonOf(failure)];
  return errors.filter(([member]) => !NETWORK.test(member)).flatMap(([, lines]) => lines);
}

interface DaysProps {
  readonly days: string;
  readonly onChange: (days: string) => void;
}

export const DaysField = ({ days, onChange }: DaysProps) => (
  <TextField
    label={TEXTS.days}
    value={days}
    onChange={onChange}
    type="number"
    min={1}
    max={SERVICE_LIMITS.days}
    hint={TEXTS.daysHint(SERVICE_LIMITS.days)}
  />
);
