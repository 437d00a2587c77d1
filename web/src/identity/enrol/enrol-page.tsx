/** `/identity/enrol`: a session that may only finish its set-up. The vault is back as soon as it is done. */
import { QueryClientProvider } from '@tanstack/react-query';
import { KeyRound, Smartphone } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useId, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ToastRegion } from '@passwordbroker/ui/feedback/toast-region';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { newRecoveryCodes } from '../../factors/code-dialogs.tsx';
import { RecoveryCodes } from '../../factors/recovery-codes.tsx';
import { TotpForm } from '../../factors/totp-form.tsx';
import { useFactors } from '../../factors/use-factors.ts';
import { useTotpSetup } from '../../factors/use-totp-setup.ts';
import { lazyPart } from '../../lib/chunk.ts';
import { NewPasskeyForm } from '../../passkeys/new-passkey-form.tsx';
import { useNewPasskey } from '../../passkeys/use-new-passkey.ts';
import { mayUsePasskeys } from '../../passkeys/use-passkey.tsx';
import { session } from '../../page/page.ts';
import { queries } from '../../page/vault.ts';
import { ConfirmPasswordDialog } from '../../session/confirm-password-dialog.tsx';
import { originOf, pendingNavigation } from '../../session/guard.tsx';
import { useSession } from '../../session/use-session.ts';
import { ENROL_TEXTS as TEXTS, FACTORS_TEXTS } from '../../texts/identity/factors.ts';
import { IDENTITY_TEXTS } from '../../texts/identity/identity.ts';
import { IdentityFrame, WaitingPage } from '../identity-frame.tsx';
import styles from '../identity-frame.module.css';
import { type EnrolEvent, type EnrolState, afterEvent, shownCodes } from './enrol-states.ts';

/** Only on a site with identity providers. */
const LinkFirst = lazyPart('LinkFirst', () => import('../../sso/link-first.tsx'));

export function EnrolPage() {
  const { status, restriction } = useSession();
  usePageTitle(TEXTS.title);
  useEffect(() => {
    if (status === 'loading') void session.check();
  }, [status]);
  // Read once: the end of the set-up changes both while the page is open.
  const [wasRestricted] = useState(restriction === 'second factor');
  if (status === 'loading') return <WaitingPage text={IDENTITY_TEXTS.loading} />;
  if (status !== 'logged-in') return <Navigate to="/identity/login" replace />;
  if (restriction === 'link') {
    return (
      <Suspense fallback={<WaitingPage text={IDENTITY_TEXTS.loading} />}>
        <LinkFirst />
      </Suspense>
    );
  }
  const start = restriction !== undefined || wasRestricted ? 'intro' : shownCodes.arePending() ? 'again' : null;
  if (start === null) return <Navigate to="/" replace />;
  return (
    <QueryClientProvider client={queries}>
      <IdentityFrame
        side={
          <>
            <h2>{TEXTS.side}</h2>
            <p>{TEXTS.sideText}</p>
          </>
        }
      >
        <Enrolment start={start} />
      </IdentityFrame>
      <ConfirmPasswordDialog />
      <ToastRegion />
    </QueryClientProvider>
  );
}

function Enrolment({ start }: { readonly start: EnrolState }) {
  const navigate = useNavigate();
  const { user } = useSession();
  const { data, isPending } = useFactors();
  const form = useId();
  const [state, setState] = useState<EnrolState>(start);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const enter = (event: EnrolEvent) => setState((before) => afterEvent(before, event));

  const show = (made: readonly string[]) => {
    shownCodes.setPending(true);
    setCodes(made);
  };
  const setup = useTotpSetup(({ recovery_codes }) => {
    if (recovery_codes !== null) show(recovery_codes.codes);
    enter('confirmed');
  });
  const passkey = useNewPasskey('factor', ({ recovery_codes }) => {
    if (recovery_codes !== null) show(recovery_codes.codes);
    enter('confirmed');
  });
  const mayAddKey = data?.can_add_passkey === true && mayUsePasskeys();
  const begin = async () => {
    if (await setup.begin()) enter('app');
  };
  const makeAgain = async () => {
    setProblem(null);
    setBusy(true);
    try {
      const made = await newRecoveryCodes();
      if (made !== null) {
        show(made);
        enter('made');
      }
    } catch (failure) {
      setProblem(reasonOf(failure));
    }
    setBusy(false);
  };
  const finish = async () => {
    setProblem(null);
    setBusy(true);
    try {
      await session.refresh();
      shownCodes.setPending(false);
      void navigate(originOf({ from: pendingNavigation.read() }), { replace: true });
    } catch (failure) {
      setProblem(reasonOf(failure));
    }
    setBusy(false);
  };
  const logOut = (
    <Button variant="ghost" onPress={() => void navigate('/identity/logout')}>
      {TEXTS.logOut}
    </Button>
  );
  const trouble = problem ?? (state === 'intro' ? setup.problem : null);
  const troubleBox = trouble !== null && <MessageBox tone="danger" lines={[trouble]} />;

  if (state === 'intro')
    return (
      <Step key={state} title={TEXTS.title} text={TEXTS.intro} verbs={logOut}>
        {troubleBox}
        {!isPending && (
          <>
            {mayAddKey && (
              <>
                <Button
                  variant="primary"
                  size="lg"
                  isBlock
                  autoFocus
                  icon={<KeyRound size={16} />}
                  onPress={() => enter('key')}
                >
                  {TEXTS.key}
                </Button>
                <p className={styles['alternative']}>{TEXTS.keyHint}</p>
              </>
            )}
            <Button
              variant={mayAddKey ? 'secondary' : 'primary'}
              size="lg"
              isBlock
              autoFocus={!mayAddKey}
              icon={<Smartphone size={16} />}
              busy={setup.isBusy}
              busyLabel={FACTORS_TEXTS.totp.starting}
              onPress={() => void begin()}
            >
              {TEXTS.app}
            </Button>
            <p className={styles['alternative']}>{TEXTS.appHint}</p>
          </>
        )}
      </Step>
    );
  const anotherWay = (
    <Button
      variant="ghost"
      onPress={() => {
        setup.cancel();
        enter('back');
      }}
    >
      {TEXTS.anotherWay}
    </Button>
  );
  if (state === 'key')
    return (
      <Step
        key={state}
        title={TEXTS.key}
        text={TEXTS.keyText}
        verbs={
          <>
            <Button
              variant="primary"
              size="lg"
              type="submit"
              form={form}
              busy={passkey.isBusy}
              busyLabel={TEXTS.waitingForKey}
            >
              {TEXTS.addKey}
            </Button>
            {!passkey.isBusy && anotherWay}
            {logOut}
          </>
        }
      >
        <NewPasskeyForm id={form} use="factor" passkey={passkey} tokens={data?.tokens ?? 0} />
      </Step>
    );
  if (state === 'totp')
    return (
      <Step
        key={state}
        title={TEXTS.app}
        verbs={
          <>
            <Button
              variant="primary"
              size="lg"
              type="submit"
              form={form}
              busy={setup.isBusy}
              busyLabel={FACTORS_TEXTS.totp.confirming}
            >
              {FACTORS_TEXTS.totp.confirm}
            </Button>
            {anotherWay}
            {logOut}
          </>
        }
      >
        <TotpForm id={form} setup={setup} tokens={data?.tokens ?? 0} />
      </Step>
    );
  if (state === 'again')
    return (
      <Step
        key={state}
        title={FACTORS_TEXTS.codes.title}
        text={TEXTS.againText}
        verbs={
          <>
            <Button
              variant="primary"
              size="lg"
              autoFocus
              busy={isBusy}
              busyLabel={FACTORS_TEXTS.codes.making}
              onPress={() => void makeAgain()}
            >
              {FACTORS_TEXTS.codes.makeNew}
            </Button>
            <Button variant="ghost" isDisabled={isBusy} onPress={() => void finish()}>
              {TEXTS.skip}
            </Button>
            {logOut}
          </>
        }
      >
        {troubleBox}
      </Step>
    );
  return (
    <Step
      key={state}
      title={FACTORS_TEXTS.codes.shown}
      verbs={
        <>
          <Button variant="primary" size="lg" autoFocus busy={isBusy} onPress={() => void finish()}>
            {FACTORS_TEXTS.codes.kept}
          </Button>
          {logOut}
        </>
      }
    >
      <RecoveryCodes codes={codes} email={user?.email ?? ''} />
      {troubleBox}
    </Step>
  );
}

/** Its key is the state, so that the first control of each step has the focus. */
interface StepProps {
  readonly title: string;
  readonly text?: string;
  readonly verbs: ReactNode;
  readonly children: ReactNode;
}

function Step({ title, text, verbs, children }: StepProps) {
  return (
    <div className={`${styles['stack']} ${styles['wide']}`}>
      <div className={styles['heading']}>
        <h1>{title}</h1>
        {text !== undefined && <p>{text}</p>}
      </div>
      {children}
      <div className={styles['actions']}>{verbs}</div>
    </div>
  );
}
