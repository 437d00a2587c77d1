import { type FormEvent, Suspense, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { lazyPart } from '../lib/chunk.ts';
import { HOME, originOf } from '../session/guard.tsx';
import { useIsLedOn, useSession } from '../session/use-session.ts';
import { IDENTITY_TEXTS as TEXTS } from '../texts/identity/identity.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Glyph } from '@passwordbroker/ui/display/glyph';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { IdentityFrame, RedirectPage, WaitingPage } from './identity-frame.tsx';
import styles from './identity-frame.module.css';
import { logIn } from './log-in.ts';
import { servers, session } from '../page/page.ts';
import type { AppError } from '@passwordbroker/core/contract/problem';
import { isWordKept } from '../offline/has-copies.ts';

/** Only if this browser has signed in at another server. */
const KeptServers = lazyPart('KeptServers', () => import('./kept-servers.tsx'));

/** Only for accounts with a second factor. */
const FactorStep = lazyPart('FactorStep', () => import('./factor/factor-step.tsx'));
const FACTOR_PATH = '/identity/factor';

/** Only on a site with identity providers. */
const SignInWays = lazyPart('SignInWays', () => import('../sso/sign-in-ways.tsx'));

const PasskeySignIn = lazyPart('PasskeySignIn', () => import('../passkeys/sign-in-button.tsx'));

/** A failure shows up when the router loads it again. */
const fetchVault = () =>
  void Promise.allSettled([import('../app/layout/app-frame.tsx'), import('../groups/page/prompt-page.tsx')]);

/** `/identity/login`, and `/identity/factor` with the ticket of the first step in this page's memory alone. */
export function LoginPage() {
  const { status, ways } = useSession();
  const isLedOn = useIsLedOn('login');
  usePageTitle(TEXTS.logIn);
  const { state, pathname } = useLocation() as { state: unknown; pathname: string };
  const navigate = useNavigate();
  const [asked, setAsked] = useState<AppError | null>(null);
  const [isByPasskey, setByPasskey] = useState(false);
  const [serverUrl, setServerUrl] = useState(() => servers.chosen() ?? location.origin);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblems([]);
    const refused = await logIn({ serverUrl, email, password }, session);
    setBusy(false);
    if (Array.isArray(refused)) return setProblems(refused);
    setPassword('');
    setAsked(refused);
    void navigate(FACTOR_PATH, { state });
  };
  const toForm = (lines: readonly string[] = []) => {
    setAsked(null);
    setProblems(lines);
    void navigate('/identity/login', { replace: true, state });
  };

  if (status === 'logged-in') return <RedirectPage to={originOf(state)} />;
  if (isLedOn) return <Navigate to="/identity/loading" replace state={state ?? HOME} />;
  if (pathname === FACTOR_PATH) {
    if (asked === null) return <Navigate to="/identity/login" replace state={state} />;
    return (
      <Suspense fallback={<WaitingPage text={TEXTS.loading} />}>
        <FactorStep asked={asked} onBack={toForm} />
      </Suspense>
    );
  }
  const isMissing = (text: string) => problems.includes(text);
  const isHere = servers.chosen() === null;
  const passkey = isByPasskey ? (
    <Suspense fallback={null}>
      <PasskeySignIn />
    </Suspense>
  ) : (
    'PublicKeyCredential' in globalThis &&
    isHere && (
      <Button size="lg" onPress={() => setByPasskey(true)}>
        {TEXTS.passkey}
      </Button>
    )
  );
  const form = (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles['heading']}>
        <h1>{TEXTS.logIn}</h1>
      </div>
      <TextField
        label={TEXTS.serverUrl}
        value={serverUrl}
        onChange={setServerUrl}
        type="url"
        size="lg"
        autoComplete="url"
        start={<Glyph of="server" />}
        isInvalid={isMissing(TEXTS.serverUrlMissing)}
      />
      <TextField
        label={TEXTS.email}
        value={email}
        onChange={setEmail}
        type="email"
        name="email"
        size="lg"
        autoComplete="username"
        autoFocus
        isInvalid={isMissing(TEXTS.emailMissing)}
      />
      <PasswordField
        label={TEXTS.password}
        value={password}
        onChange={(typed) => {
          fetchVault();
          setPassword(typed);
        }}
        name="password"
        size="lg"
        autoComplete="current-password"
        isInvalid={isMissing(TEXTS.passwordMissing)}
      />
      <ExpiredNote />
      {!globalThis.isSecureContext && <MessageBox tone="danger" lines={[TEXTS.needsHttps]} />}
      {problems.length > 0 && <MessageBox tone="danger" lines={problems} />}
      <Button variant="primary" size="lg" type="submit" busy={isBusy} busyLabel={TEXTS.loggingIn}>
        {TEXTS.logIn}
      </Button>
      <Suspense fallback={null}>{servers.hasOthers() && <KeptServers />}</Suspense>
      {passkey}
    </form>
  );
  return (
    <IdentityFrame
      side={
        <>
          <h2>{TEXTS.sideLogin}</h2>
          <p>{TEXTS.sideLoginText}</p>
        </>
      }
    >
      {ways !== undefined && isHere ? (
        <Suspense fallback={null}>
          <SignInWays ways={ways} to={originOf(state)} hasTyped={email !== ''} passkey={passkey}>
            {form}
          </SignInWays>
        </Suspense>
      ) : (
        form
      )}
    </IdentityFrame>
  );
}

/** Only where this browser may have a local copy. */
const ExpiredCopies = lazyPart('ExpiredCopies', () => import('../offline/expired-copies.tsx'));

export function ExpiredNote() {
  if (!isWordKept()) return null;
  return (
    <Suspense fallback={null}>
      <ExpiredCopies server={servers.chosen()} />
    </Suspense>
  );
}
