/** Pairing with a server, and signing in there. */
import { useEffect, useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { api } from '../browser-api.ts';
import type { Status } from '../keeper/session.ts';
import { prescribed } from '../policy.ts';
import { serverOrigin } from '../server-origin.ts';
import { sitePattern } from '../site-pattern.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { BrowserButton } from './browser-screen.tsx';
import { FormScreen } from './form-screen.tsx';
import { keeper, unpair } from './parts.ts';
import styles from './popup.module.css';

export function PairScreen({ onStatus }: { readonly onStatus: (status: Status) => void }) {
  const [address, setAddress] = useState('');
  const [isLocked, setLocked] = useState(false);
  useEffect(() => {
    void prescribed().then(({ server, isFixed }) => {
      setAddress((typed) => (typed === '' ? server : typed));
      setLocked(isFixed);
    });
  }, []);
  const pair = async () => {
    // No wait before the request: it counts as part of the click.
    const origin = serverOrigin(address);
    const { host } = new URL(origin);
    if (!(await api.permissions.request({ origins: [sitePattern(origin)] }))) throw new Error(TEXTS.notAllowed(host));
    onStatus(await keeper('pair', { address: origin }));
  };
  return (
    <FormScreen title={TEXTS.welcome} verb={TEXTS.connect} onSubmit={pair}>
      <TextField
        label={TEXTS.address}
        hint={TEXTS.addressHint}
        value={address}
        onChange={setAddress}
        inputMode="url"
        isLocked={isLocked}
        autoFocus
        isRequired
      />
    </FormScreen>
  );
}

interface Props {
  readonly status: Status;
  readonly onStatus: (status: Status) => void;
}

export function SignInScreen({ status, onStatus }: Props) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = async () => onStatus(await keeper('signIn', { email, password }));
  return (
    <FormScreen
      title={TEXTS.signIn}
      text={hostOf(status)}
      verb={TEXTS.signIn}
      onSubmit={signIn}
      more={
        <>
          <p className={styles['text']}>{TEXTS.signInHint(status.providers)}</p>
          <BrowserButton onStatus={onStatus} />
          <Button variant="ghost" isBlock onPress={() => void unpair(status.server).then(onStatus)}>
            {TEXTS.otherServer}
          </Button>
        </>
      }
    >
      <TextField label={TEXTS.email} type="email" value={email} onChange={setEmail} autoFocus isRequired />
      <PasswordField label={TEXTS.accountPassword} value={password} onChange={setPassword} isRequired />
    </FormScreen>
  );
}

const hostOf = ({ server }: Status) => (server === null ? '' : new URL(server).host);

export function FactorScreen({ status, onStatus }: Props) {
  const [first, second] = status.methods;
  const [method, setMethod] = useState(first);
  const [code, setCode] = useState('');
  const back = () => void keeper('cancelFactor').then(onStatus);
  if (method === undefined)
    return (
      <main className={styles['page']}>
        <h1 className={styles['title']}>{TEXTS.factorTitle}</h1>
        <MessageBox tone="info" lines={[TEXTS.noFactor]} />
        <BrowserButton onStatus={onStatus} />
        <Button variant="ghost" isBlock onPress={back} autoFocus>
          {TEXTS.back}
        </Button>
      </main>
    );
  const other = method === first ? second : first;
  const prove = async () => onStatus(await keeper('proveFactor', { method, code: code.trim() }));
  return (
    <FormScreen
      key={method}
      title={TEXTS.factorTitle}
      verb={TEXTS.prove}
      onSubmit={prove}
      more={
        <>
          {other !== undefined && (
            <Button
              variant="ghost"
              isBlock
              onPress={() => {
                setMethod(other);
                setCode('');
              }}
            >
              {other === 'recovery' ? TEXTS.useRecovery : TEXTS.useCode}
            </Button>
          )}
          <BrowserButton onStatus={onStatus} />
          <Button variant="ghost" isBlock onPress={back}>
            {TEXTS.back}
          </Button>
        </>
      }
    >
      <TextField
        label={method === 'recovery' ? TEXTS.recoveryCode : TEXTS.factorCode}
        value={code}
        onChange={setCode}
        inputMode={method === 'recovery' ? 'text' : 'numeric'}
        mono
        autoFocus
        isRequired
      />
    </FormScreen>
  );
}
