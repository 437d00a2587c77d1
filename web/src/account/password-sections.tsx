import { type FormEvent, useRef, useState, Suspense, useEffect } from 'react';
import { changePassword } from '@passwordbroker/core/contract/account/credentials';
import { AppError } from '@passwordbroker/core/contract/problem';
import { tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import styles from './account.module.css';
import { RemovePassword } from './remove-password.tsx';
import { Section } from './section.tsx';
import { useReloadedAccount } from './credential-sections.tsx';
import { http, session } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { optOutOfServerCrypto } from '@passwordbroker/core/contract/account/own-keys';
import { me } from '@passwordbroker/core/contract/account/session';
import { useSiteRules } from '../identity/passwords/use-site-rules.ts';
import { lazyPart } from '../lib/chunk.ts';
import { formatTime } from '../lib/format.ts';
import { useSession } from '../session/use-session.ts';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';

const TEXTS = ACCOUNT_TEXTS.password;
const EMPTY = { current: '', next: '', confirmation: '' } as const;
type Form = { readonly [Name in keyof typeof EMPTY]: string };

function problemsOf({ current, next, confirmation }: Form, isFirst: boolean): string[] {
  return [
    ...(current === '' && !isFirst ? [TEXTS.currentMissing] : []),
    ...(next === '' ? [TEXTS.empty] : []),
    ...(next !== confirmation ? [TEXTS.mismatch] : []),
  ];
}

export function PasswordSection() {
  const { user } = useSession();
  /** The account has no password: the first one takes a fresh sign-in in place of the present one. */
  const isFirst = user?.has_password === false;
  const [form, setForm] = useState<Form>(EMPTY);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const reload = useReloadedAccount();
  const next = useRef<HTMLInputElement>(null);
  const put = (name: keyof Form) => (value: string) => setForm((before) => ({ ...before, [name]: value }));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const wrong = problemsOf(form, isFirst);
    setProblems(wrong);
    if (wrong.length > 0) return;
    setBusy(true);
    try {
      const { current, next, confirmation } = form;
      const chosen = { password: next, password_confirmation: confirmation };
      const body = isFirst ? chosen : { current_password: current, ...chosen };
      const changed = await freshSignIn.tryRun(() => http.call(changePassword, { body }));
      if (changed === null) return setBusy(false);
      session.passwordChanged();
      session.know(changed);
      setForm(EMPTY);
      tellDone(isFirst ? TEXTS.made : TEXTS.changed);
      await reload();
    } catch (failure) {
      const texts = failure instanceof AppError ? Object.values(failure.errors ?? {}).flat() : [];
      setProblems(texts.length > 0 ? texts : [reasonOf(failure)]);
    }
    setBusy(false);
  };
  const removed = async () => {
    setForm(EMPTY);
    setProblems([]);
    await reload();
    // The pressed button has disappeared.
    next.current?.focus();
  };
  const mismatch = form.confirmation !== '' && form.confirmation !== form.next;
  return (
    <Section
      title={TEXTS.title}
      hint={isFirst ? TEXTS.noneHint : TEXTS.hint}
      verbs={!isFirst && <RemovePassword onRemoved={removed} />}
    >
      <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
        {!isFirst && (
          <PasswordField
            label={TEXTS.current}
            value={form.current}
            onChange={put('current')}
            autoComplete="current-password"
          />
        )}
        <PasswordField
          ref={next}
          label={TEXTS.next}
          value={form.next}
          onChange={put('next')}
          autoComplete="new-password"
        />
        <PasswordField
          label={TEXTS.confirmation}
          value={form.confirmation}
          onChange={put('confirmation')}
          autoComplete="new-password"
          isInvalid={mismatch}
        />
        {problems.length > 0 && <MessageBox tone="danger" lines={problems} />}
        <div>
          <Button variant="primary" type="submit" busy={isBusy} busyLabel={TEXTS.changing}>
            {isFirst ? TEXTS.make : TEXTS.change}
          </Button>
        </div>
      </form>
    </Section>
  );
}

const SERVER_CRYPTO_TEXTS = ACCOUNT_TEXTS.serverCrypto;

const ChangeDialog = lazyPart('ChangeDialog', () => import('../master-password/change-dialog.tsx'));

/** A program may have used the master password since. An answer to a change made meanwhile is newer. */
function useFreshAccount() {
  useEffect(() => {
    const before = session.view().user;
    http.call(me).then(
      ({ user }) => user !== null && session.view().user === before && session.know(user),
      () => undefined,
    );
  }, []);
}

/**
 * Whether programs may send the master password to the server, and whether one did (docs/spec/crypto.md §17).
 */
export function ServerCryptoSection() {
  useFreshAccount();
  const { user } = useSession();
  const { rules } = useSiteRules();
  const [isBusy, setBusy] = useState(false);
  const [isChanging, setChanging] = useState(false);
  if (user === null) return null;

  const choose = async (isOptedOut: boolean) => {
    if (isBusy) return;
    setBusy(true);
    try {
      const { status } = await http.call(optOutOfServerCrypto, { body: { status: isOptedOut } });
      session.know({ ...user, server_crypto_opt_out: status });
      tellDone(status ? SERVER_CRYPTO_TEXTS.optedOut : SERVER_CRYPTO_TEXTS.optedIn);
    } catch (failure) {
      tellFailure(reasonOf(failure));
    }
    setBusy(false);
  };
  return (
    <Section title={SERVER_CRYPTO_TEXTS.title} hint={SERVER_CRYPTO_TEXTS.hint}>
      <div className={styles['choices']}>
        {user.mp_exposed_at !== null && (
          <MessageBox
            tone="warning"
            title={SERVER_CRYPTO_TEXTS.exposed(formatTime(user.mp_exposed_at))}
            lines={[SERVER_CRYPTO_TEXTS.exposedWhat, SERVER_CRYPTO_TEXTS.exposedAdvice]}
          >
            <p className={styles['verb']}>
              <Button size="sm" onPress={() => setChanging(true)}>
                {SERVER_CRYPTO_TEXTS.change}
              </Button>
            </p>
          </MessageBox>
        )}
        {rules?.server_crypto === 'off' && <MessageBox tone="info" lines={[SERVER_CRYPTO_TEXTS.siteOff]} />}
        <Checkbox
          isSelected={user.server_crypto_opt_out}
          onChange={(isOptedOut) => void choose(isOptedOut)}
          hint={SERVER_CRYPTO_TEXTS.optOutHint}
        >
          {SERVER_CRYPTO_TEXTS.optOut}
        </Checkbox>
      </div>
      {isChanging && (
        <Suspense fallback={null}>
          <ChangeDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </Section>
  );
}
