/** Creates a token and shows it once. Only this dialog's state holds the secret. */
import { type FormEvent, useId, useState } from 'react';
import { createToken } from '@passwordbroker/core/contract/account/credentials';
import { SCOPES, type Scope } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { SecretLine } from '../fields/value/secret-line.tsx';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from './account.module.css';
import { useQuery } from '@tanstack/react-query';
import { limits } from '@passwordbroker/core/contract/site/site';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';

const TEXTS = ACCOUNT_TEXTS.tokens;

export function NewTokenDialog({ onMade, onClose }: { readonly onMade: () => void; readonly onClose: () => void }) {
  const [made, setMade] = useState<{ readonly name: string; readonly token: string } | null>(null);
  if (made !== null) return <MadeToken {...made} onClose={onClose} />;
  return (
    <TokenForm
      onClose={onClose}
      onMade={(name, token) => {
        setMade({ name, token });
        onMade();
      }}
    />
  );
}

const USUAL_DAYS = 90;

interface FormProps {
  readonly onMade: (name: string, token: string) => void;
  readonly onClose: () => void;
}

function TokenForm({ onMade, onClose }: FormProps) {
  const form = useId();
  const [name, setName] = useState('');
  const most = useTokenDays();
  const [typed, setDays] = useState<string | null>(null);
  const days = typed ?? String(Math.min(USUAL_DAYS, most));
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPES);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (scopes.length === 0) return setProblems([TEXTS.noScope]);
    setBusy(true);
    setProblems([]);
    try {
      const body = { token_name: name, expires_in_days: Number(days), scopes: [...scopes] };
      const made = await freshSignIn.tryRun(() => http.call(createToken, { body }));
      if (made !== null) onMade(name.trim(), made.token);
      else setBusy(false);
    } catch (failure) {
      const texts = failure instanceof AppError ? Object.values(failure.errors ?? {}).flat() : [];
      setProblems(texts.length > 0 ? texts : [reasonOf(failure)]);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={TEXTS.dialog}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={onClose}
          submit={TEXTS.create}
          submitting={TEXTS.creating}
          isBusy={isBusy}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
        {problems.length > 0 && <MessageBox tone="danger" lines={problems} />}
        <TextField label={TEXTS.name} value={name} onChange={setName} hint={TEXTS.nameHint} autoFocus maxLength={100} />
        <TextField
          label={TEXTS.days}
          value={days}
          onChange={setDays}
          type="number"
          min={1}
          max={most}
          hint={TEXTS.daysHint(most)}
        />
        <fieldset className={styles['scopes']}>
          <legend>{TEXTS.scope}</legend>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              isSelected={scopes.includes(scope)}
              onChange={(isOn) =>
                setScopes((before) => SCOPES.filter((one) => (one === scope ? isOn : before.includes(one))))
              }
            >
              {TEXTS.scopeNames[scope]}
            </Checkbox>
          ))}
        </fieldset>
      </form>
    </Dialog>
  );
}

/** In days; the general maximum until the site's is loaded. */
function useTokenDays(): number {
  const { data } = useQuery({
    queryKey: ['account', 'limits'],
    queryFn: ({ signal }) => http.call(limits, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  return data?.token_days ?? LIMITS.tokenDays;
}

interface MadeProps {
  readonly name: string;
  readonly token: string;
  readonly onClose: () => void;
}

function MadeToken({ name, token, onClose }: MadeProps) {
  return (
    <Dialog
      title={TEXTS.made(name)}
      onClose={onClose}
      footer={
        <Button variant="primary" onPress={onClose}>
          {TEXTS.done}
        </Button>
      }
    >
      <div className={styles['form']}>
        <MessageBox tone="warning" lines={[TEXTS.once]} />
        <SecretLine secret={token} copyLabel={TEXTS.copy} />
      </div>
    </Dialog>
  );
}
