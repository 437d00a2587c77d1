import { type FormEvent, lazy, Suspense, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { loadChunk } from '../lib/chunk.ts';
import { HOME, originOf } from '../session/guard.tsx';
import { useIsLedOn, useSession } from '../session/use-session.ts';
import { IDENTITY_TEXTS as TEXTS } from '../texts/identity/identity.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Glyph } from '@passwordbroker/ui/display/glyph';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { IdentityFrame, RedirectPage } from './identity-frame.tsx';
import styles from './identity-frame.module.css';
import { logIn } from './log-in.ts';
import { servers, session } from '../page/page.ts';
import { isWordKept } from '../offline/has-copies.ts';

/** Only if this browser has signed in at another server. */
const KeptServers = lazy(async () => {
  const { KeptServers: shown } = await loadChunk('kept-servers', () => import('./kept-servers.tsx'));
  return { default: shown };
});

/** A failure shows up when the router loads it again. */
const fetchVault = () =>
  void Promise.allSettled([import('../app/layout/app-frame.tsx'), import('../groups/page/prompt-page.tsx')]);

export function LoginPage() {
  const { status } = useSession();
  const isLedOn = useIsLedOn('login');
  usePageTitle(TEXTS.logIn);
  const { state } = useLocation() as { state: unknown };
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
    setProblems(await logIn({ serverUrl, email, password }, session));
    setBusy(false);
  };

  if (status === 'logged-in') return <RedirectPage to={originOf(state)} />;
  if (isLedOn) return <Navigate to="/identity/loading" replace state={state ?? HOME} />;
  const isMissing = (text: string) => problems.includes(text);
  return (
    <IdentityFrame
      side={
        <>
          <h2>{TEXTS.sideLogin}</h2>
          <p>{TEXTS.sideLoginText}</p>
        </>
      }
    >
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
        {servers.hasOthers() && (
          <Suspense fallback={null}>
            <KeptServers />
          </Suspense>
        )}
      </form>
    </IdentityFrame>
  );
}

/** Only where this browser may have a local copy. */
const ExpiredCopies = lazy(async () => {
  const { ExpiredCopies: shown } = await loadChunk('expired-copies', () => import('../offline/expired-copies.tsx'));
  return { default: shown };
});

export function ExpiredNote() {
  if (!isWordKept()) return null;
  return (
    <Suspense fallback={null}>
      <ExpiredCopies server={servers.chosen()} />
    </Suspense>
  );
}
