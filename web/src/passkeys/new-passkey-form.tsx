import { type FormEvent, useRef, useState } from 'react';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { firstFocus } from '@passwordbroker/ui/overlays/dialog';
import styles from '../factors/factors.module.css';
import { FACTORS_TEXTS } from '../texts/identity/factors.ts';
import { PASSKEY_TEXTS as TEXTS } from '../texts/identity/passkeys.ts';
import type { NewPasskey } from './use-new-passkey.ts';

interface Props {
  /** Of the form, for the button that sends it. */
  readonly id: string;
  readonly use: 'factor' | 'sign_in';
  readonly passkey: NewPasskey;
  /** Tokens that the first second factor may end; 0: none is asked about. */
  readonly tokens?: number;
}

export function NewPasskeyForm({ id, use, passkey, tokens = 0 }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [isRevoking, setRevoking] = useState(true);
  const { problem, isBusy } = passkey;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await passkey.add(name, isRevoking))) input.current?.focus();
  };
  return (
    <form id={id} className={styles['stack']} onSubmit={(event) => void submit(event)} noValidate>
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      <TextField
        ref={(control) => {
          input.current = control;
          firstFocus(control);
        }}
        label={TEXTS.name}
        value={name}
        onChange={setName}
        hint={use === 'factor' ? FACTORS_TEXTS.keys.nameHint : TEXTS.nameHint}
        maxLength={LIMITS.passkeyName}
        autoFocus
        isInvalid={problem === TEXTS.nameMissing}
      />
      {tokens > 0 && (
        <Checkbox isSelected={isRevoking} onChange={setRevoking} hint={FACTORS_TEXTS.totp.revokeHint}>
          {FACTORS_TEXTS.totp.revokeTokens(tokens)}
        </Checkbox>
      )}
      <p role="status" className="visually-hidden">
        {isBusy ? TEXTS.signIn.waiting : ''}
      </p>
    </form>
  );
}
