import { type FormEvent, Suspense, useId, useRef, useState } from 'react';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, firstFocus, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { SecretLine } from '../fields/value/secret-line.tsx';
import { lazyPart } from '../lib/chunk.ts';
import { FACTORS_TEXTS } from '../texts/identity/factors.ts';
import styles from './factors.module.css';
import type { TotpSetup } from './use-totp-setup.ts';

const TEXTS = FACTORS_TEXTS.totp;

const QrCode = lazyPart('QrCode', () => import('../lib/qr-code.tsx'));

interface Props {
  /** Of the form, for the button that sends it. */
  readonly id: string;
  readonly setup: TotpSetup;
  /** Tokens that the first factor may end; 0: none is asked about. */
  readonly tokens: number;
  readonly isReplacing?: boolean;
}

export function TotpForm({ id, setup, tokens, isReplacing = false }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [isRevoking, setRevoking] = useState(true);
  const { begun, problem } = setup;
  const shown = isMissing ? TEXTS.codeMissing : problem;
  if (begun === null) return null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMissing(code.trim() === '');
    if (code.trim() !== '') {
      if (await setup.confirm(code, isRevoking)) return;
      setCode('');
    }
    input.current?.focus();
  };
  return (
    <form id={id} className={styles['stack']} onSubmit={(event) => void submit(event)} noValidate>
      <p>{TEXTS.scan}</p>
      <div className={styles['setUp']}>
        <Suspense fallback={<div className={styles['qr']} />}>
          <QrCode text={begun.uri} label={TEXTS.qr} className={styles['qr']} />
        </Suspense>
        <SecretKey secret={begun.secret} />
      </div>
      {isReplacing && <p className={styles['hint']}>{TEXTS.replaces}</p>}
      <TextField
        ref={(control) => {
          input.current = control;
          firstFocus(control);
        }}
        label={TEXTS.code}
        value={code}
        onChange={setCode}
        mono
        autoFocus
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={64}
        isInvalid={shown !== null}
      />
      {tokens > 0 && (
        <Checkbox isSelected={isRevoking} onChange={setRevoking} hint={TEXTS.revokeHint}>
          {TEXTS.revokeTokens(tokens)}
        </Checkbox>
      )}
      {shown !== null && <MessageBox tone="danger" lines={[shown]} />}
    </form>
  );
}

/** In groups of four, as it is typed. */
function SecretKey({ secret }: { readonly secret: string }) {
  return (
    <div className={styles['typed']}>
      <p className={styles['hint']}>
        {TEXTS.cannotScan} {TEXTS.keyKind}
      </p>
      <SecretLine secret={secret} shown={secret.replace(/.{4}(?=.)/g, '$& ')} copyLabel={TEXTS.copyKey} />
    </div>
  );
}

interface DialogProps {
  readonly setup: TotpSetup;
  readonly tokens: number;
  readonly isReplacing: boolean;
}

export function TotpDialog({ setup, tokens, isReplacing }: DialogProps) {
  const form = useId();
  return (
    <Dialog
      title={TEXTS.dialog}
      size="md"
      onClose={setup.cancel}
      isBusy={setup.isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={FACTORS_TEXTS.cancel}
          onCancel={setup.cancel}
          submit={TEXTS.confirm}
          submitting={TEXTS.confirming}
          isBusy={setup.isBusy}
        />
      }
    >
      <TotpForm id={form} setup={setup} tokens={tokens} isReplacing={isReplacing} />
    </Dialog>
  );
}
