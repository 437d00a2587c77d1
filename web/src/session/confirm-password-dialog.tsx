import { type ConfirmWays, confirmPassword, confirmWays } from '@passwordbroker/core/contract/account/credentials';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type FormEvent, Suspense, useId, useRef, useState, useSyncExternalStore } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { FRESH_SIGN_IN_TEXTS as TEXTS } from '../texts/identity/account.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog, useFirstFocus, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { lazyPart } from '../lib/chunk.ts';
import { mayUsePasskeys, PasskeyButton } from '../passkeys/use-passkey.tsx';
import { http } from '../page/page.ts';
import { freshSignIn, queries } from '../page/vault.ts';
import { confirmWithPasskey } from './confirm-with-passkey.ts';
import { useSession } from './use-session.ts';
import styles from '../factors/factors.module.css';

/** Mounted once in the frame. Waiting operations resume after the password, or a passkey, is confirmed. */
export function ConfirmPasswordDialog() {
  const isAsking = useSyncExternalStore(freshSignIn.subscribe, freshSignIn.isAsking);
  if (!isAsking) return null;
  return (
    // Some pages of `/identity/` have no client of their own.
    <QueryClientProvider client={queries}>
      <Question />
    </QueryClientProvider>
  );
}

const SignInAgain = lazyPart('SignInAgain', () => import('../sso/sign-in-again.tsx'));

/**
 * Waits for the server to say how, for people with a second factor, and on a site with identity providers, where not
 * everyone can confirm with a password.
 */
function Question() {
  const { user, ways: waysOfSite } = useSession();
  const mayLackPassword = waysOfSite !== undefined || user?.has_password === false;
  const isAsked = mayLackPassword || mayUsePasskeys();
  const { data, isPending } = useQuery({
    queryKey: ['account', 'confirm-ways'],
    queryFn: ({ signal }) => http.call(confirmWays, { signal }),
    enabled: isAsked,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  const mayDiffer = mayLackPassword || user?.factor_state === 'set';
  if (isAsked && mayDiffer && isPending) return null;
  const ways = data?.ways ?? [];
  if (!mayLackPassword || data === undefined || ways.some((way) => 'password' in way)) {
    return <PasswordQuestion ways={ways} />;
  }
  return (
    <Suspense fallback={null}>
      <SignInAgain ways={ways} />
    </Suspense>
  );
}

function PasswordQuestion({ ways }: { readonly ways: ConfirmWays['ways'] }) {
  const formId = useId();
  const [input, focusAgain] = useFirstFocus();
  const { user } = useSession();
  const codeInput = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  // A factor may have been added in another tab: then the server says that the code is required.
  const [hasFactor, setHasFactor] = useState(user?.factor_state === 'set');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const hasPasskey = mayUsePasskeys() && ways.some((way) => 'passkey' in way);
  const [isAtPasskey, setAtPasskey] = useState(false);
  const factors = ways.flatMap((way) => ('password' in way ? way.factor : []));
  const hasKey = hasFactor && mayUsePasskeys() && factors.includes('passkey');
  const [isByKey, setByKey] = useState(hasKey && !factors.includes('totp'));

  const confirmByPasskey = async () => {
    if (isBusy || isAtPasskey) return;
    setAtPasskey(true);
    setProblem(null);
    try {
      await confirmWithPasskey();
      freshSignIn.confirmed();
    } catch (failure) {
      setProblem(reasonOf(failure));
      setAtPasskey(false);
      focusAgain();
    }
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isAtPasskey) return;
    if (password === '') return setProblem(TEXTS.missing);
    setBusy(true);
    setProblem(null);
    try {
      if (isByKey) await confirmWithPasskey(password);
      else await http.call(confirmPassword, { body: { password, ...(hasFactor ? { code } : {}) } });
      freshSignIn.confirmed();
    } catch (failure) {
      const errors = failure instanceof AppError ? failure.errors : undefined;
      const isAboutCode = errors?.['code'] !== undefined;
      const isAboutKey = isByKey && errors?.['password'] === undefined;
      setProblem(reasonOf(failure));
      setHasFactor(hasFactor || isAboutCode);
      setCode('');
      if (!isAboutCode && !isAboutKey) setPassword('');
      setBusy(false);
      if (isAboutCode && hasFactor) codeInput.current?.focus();
      else focusAgain();
    }
  };
  return (
    <Dialog
      title={TEXTS.title}
      subtitle={TEXTS.subtitle}
      onClose={freshSignIn.cancel}
      isBusy={isBusy || isAtPasskey}
      footer={
        <FormVerbs
          form={formId}
          cancel={TEXTS.cancel}
          onCancel={freshSignIn.cancel}
          submit={TEXTS.confirm}
          submitting={isByKey ? TEXTS.waitingForKey : TEXTS.confirming}
          isBusy={isBusy}
          isHeld={isBusy || isAtPasskey}
          isDisabled={isAtPasskey}
        />
      }
    >
      <form id={formId} className={styles['stack']} onSubmit={(event) => void submit(event)} noValidate>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <PasswordField
          ref={input}
          label={TEXTS.password}
          hint={TEXTS.hint}
          value={password}
          onChange={setPassword}
          size="lg"
          autoComplete="current-password"
          isInvalid={problem !== null && !isByKey}
        />
        {isByKey && <p className={styles['hint']}>{TEXTS.keyHint}</p>}
        {hasFactor && !isByKey && (
          <TextField
            ref={codeInput}
            label={TEXTS.code}
            hint={TEXTS.codeHint}
            value={code}
            onChange={setCode}
            size="lg"
            mono
            autoComplete="one-time-code"
            maxLength={64}
            isInvalid={problem !== null}
          />
        )}
        {hasKey && (
          <div>
            <Button size="sm" variant="ghost" isDisabled={isBusy} onPress={() => setByKey(!isByKey)}>
              {isByKey ? TEXTS.useCode : TEXTS.useKey}
            </Button>
          </div>
        )}
        {hasPasskey && <PasskeyButton isBusy={isAtPasskey} onPress={() => void confirmByPasskey()} />}
      </form>
    </Dialog>
  );
}
