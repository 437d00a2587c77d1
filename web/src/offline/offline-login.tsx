/**
 * Sign-in with the local copy by its master password while the server is unreachable (docs/spec/product.md
 * §1, §4).
 */
import { type FormEvent, useEffect, useState } from 'react';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { IdentityFrame } from '../identity/identity-frame.tsx';
import styles from '../identity/identity-frame.module.css';
import { formatTime } from '../lib/format.ts';
import { ExpiredCopies } from './expired-copies.tsx';
import { type LocalCopy, ClosedCopyError, OfflineCopyError } from '@passwordbroker/client/offline/offline';
import type { UnlockBy } from '@passwordbroker/client/keyring/keyring';
import { readRecoveryKey } from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-key';
import { askPasskey, mayUsePasskeys, PasskeyButton } from '../passkeys/use-passkey.tsx';
import { OFFLINE_LOGIN_TEXTS as TEXTS } from '../texts/offline.ts';
import { KIT_BANNER_TEXTS } from '../texts/identity/recovery-kit-banner.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { Select } from '@passwordbroker/ui/inputs/select';
import { offline } from '../page/vault.ts';
import { session } from '../page/page.ts';

interface Props {
  /** Not empty. */
  readonly copies: readonly LocalCopy[];
  readonly host: string;
}

export function OfflineLogin({ copies, host }: Props) {
  const [chosen, setChosen] = useState(0);
  const [masterPassword, setMasterPassword] = useState('');
  /** The recovery key in place of the master password; null: not asked for. */
  const [recoveryKey, setRecoveryKey] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState<'opening' | 'asking' | 'trying' | null>(null);
  usePageTitle(TEXTS.page);
  const copy = copies[chosen] ?? copies[0];
  useVaultEarly(copy);

  const open = async (event: FormEvent) => {
    event.preventDefault();
    if (recoveryKey !== null) {
      if (readRecoveryKey(recoveryKey) === null) setProblem(KIT_BANNER_TEXTS.typo);
      else await openBy('opening', { recoveryKey });
    } else if (masterPassword === '') setProblem(TEXTS.missing);
    else await openBy('opening', masterPassword);
  };
  const openBy = async (how: 'opening' | 'asking', by: UnlockBy) => {
    if (busy !== null || copy === undefined) return;
    setBusy(how);
    setProblem(null);
    try {
      await offline.logIn(copy, by);
    } catch (failure) {
      setProblem(problemOf(failure));
      setMasterPassword('');
      setBusy(null);
    }
  };
  const tryAgain = () => {
    setBusy('trying');
    void session.check().finally(() => setBusy(null));
  };
  return (
    <IdentityFrame
      side={
        <>
          <h2>{TEXTS.sideTitle}</h2>
          <p>{TEXTS.sideText}</p>
        </>
      }
    >
      <form onSubmit={(event) => void open(event)} noValidate>
        <div className={styles['heading']}>
          <h1>{TEXTS.page}</h1>
        </div>
        <MessageBox tone="warning" lines={[TEXTS.away(host)]} />
        <ExpiredCopies server={copy?.server ?? null} />
        <Select
          label={TEXTS.copy}
          hint={hintOf(copy)}
          value={String(chosen)}
          onChange={(value) => setChosen(Number(value))}
          options={copies.map(({ name, email }, at) => ({ value: String(at), title: `${name} (${email})` }))}
        />
        {recoveryKey === null ? (
          <PasswordField
            label={TEXTS.masterPassword}
            hint={TEXTS.masterPasswordHint}
            value={masterPassword}
            onChange={setMasterPassword}
            size="lg"
            autoComplete="off"
            autoFocus
            isInvalid={problem !== null}
          />
        ) : (
          <TextField
            label={KIT_BANNER_TEXTS.key}
            value={recoveryKey}
            onChange={setRecoveryKey}
            size="lg"
            mono
            autoComplete="off"
            autoFocus
            maxLength={200}
            isInvalid={problem !== null}
          />
        )}
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <Button variant="primary" size="lg" type="submit" busy={busy === 'opening'} busyLabel={TEXTS.opening}>
          {TEXTS.open}
        </Button>
        {mayUsePasskeys() && copy?.passkeyHosts.includes(location.hostname) === true && (
          <PasskeyButton isBusy={busy === 'asking'} onPress={() => void openBy('asking', askPasskey)} />
        )}
        <Button
          variant="ghost"
          isDisabled={busy !== null}
          onPress={() => {
            setRecoveryKey(recoveryKey === null ? '' : null);
            setMasterPassword('');
            setProblem(null);
          }}
        >
          {recoveryKey === null ? KIT_BANNER_TEXTS.forgot : KIT_BANNER_TEXTS.remembered}
        </Button>
        <Button size="lg" busy={busy === 'trying'} busyLabel={TEXTS.trying} onPress={tryAgain}>
          {TEXTS.tryAgain}
        </Button>
      </form>
    </IdentityFrame>
  );
}

function hintOf(copy: LocalCopy | undefined): string | undefined {
  const copyOf = copy?.copyOf ?? null;
  return copyOf === null ? undefined : TEXTS.copyFrom(formatTime(copyOf * 1000));
}

function problemOf(failure: unknown): string {
  if (failure instanceof ClosedCopyError) return failure.message;
  if (failure instanceof OfflineCopyError) return TEXTS.unusable;
  if (failure instanceof Error && 'code' in failure && failure.code === 'wrong_master_password') return TEXTS.invalid;
  return failure instanceof Error ? failure.message : String(failure);
}

/** A failure shows up when the router loads it again. */
function useVaultEarly(copy: LocalCopy | undefined) {
  useEffect(() => {
    if (copy !== undefined) offline.prepareLogIn(copy);
  }, [copy]);
  useEffect(() => {
    void Promise.allSettled([
      import('../app/layout/app-frame.tsx').then(({ warmUpTree }) => requestIdleCallback(warmUpTree)),
      import('../groups/page/prompt-page.tsx'),
      import('../groups/page/group-page.tsx'),
    ]);
  }, []);
}
