/** `/identity/sso/callback`: the page to which an identity provider leads back. */
import { Suspense, useEffect, useRef, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import type { LinkOffer } from '@passwordbroker/client/session/link-offer';
import { finishSso, linkTicketOf } from '@passwordbroker/client/session/single-sign-on';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { AppError } from '@passwordbroker/core/contract/problem';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { IdentityFrame, RedirectPage, WaitingPage } from '../identity/identity-frame.tsx';
import styles from '../identity/identity-frame.module.css';
import { lazyPart } from '../lib/chunk.ts';
import { http, session } from '../page/page.ts';
import { originOf, pendingNavigation } from '../session/guard.tsx';
import { useSession } from '../session/use-session.ts';
import { IDENTITY_TEXTS } from '../texts/identity/identity.ts';
import { SSO_TEXTS as TEXTS } from '../texts/identity/sso.ts';
import { lastDeparture, useLeaving } from './leaving.ts';

const FactorStep = lazyPart('FactorStep', () => import('../identity/factor/factor-step.tsx'));
const LinkSignIn = lazyPart('LinkSignIn', () => import('./link-sign-in.tsx'));
/** These load with the vault, for its notices and the fresh sign-in. */
const Confirmed = lazyPart('Confirmed', () => import('./confirmed.tsx'));
const LinkQuestion = lazyPart('LinkQuestion', () => import('./link-question.tsx'));

type Step =
  | { readonly at: 'working' | 'done' | 'confirmed' }
  /** `ticket`: of the link that the sign-in is for. */
  | { readonly at: 'factor'; readonly asked: AppError; readonly ticket?: string }
  /** An account has the address, and is not linked. */
  | { readonly at: 'not linked'; readonly text: string; readonly ticket: string }
  | { readonly at: 'question'; readonly offer: LinkOffer }
  | { readonly at: 'refused'; readonly lines: readonly string[] };

async function answerTo(query: string): Promise<Step> {
  try {
    const end = await finishSso({ http, session }, query);
    if (end === 'signed in') return { at: 'done' };
    return end === 'confirmed' ? { at: end } : { at: 'question', offer: end };
  } catch (failure) {
    if (!(failure instanceof AppError)) return { at: 'refused', lines: [reasonOf(failure)] };
    if (failure.code === 'second_factor_required') return { at: 'factor', asked: failure };
    if (failure.code !== 'sso_not_linked') return { at: 'refused', lines: [failure.message] };
    return { at: 'not linked', text: failure.message, ticket: linkTicketOf(failure) };
  }
}

export function CallbackPage() {
  usePageTitle(IDENTITY_TEXTS.logIn);
  const navigate = useNavigate();
  const [query] = useState(() => location.search.slice(1));
  const [departure] = useState(() => lastDeparture.read());
  const [step, setStep] = useState<Step>({ at: 'working' });
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current || query === '') return;
    hasBegun.current = true;
    // Its code is for this one call: a reload or a bookmark must not send it again.
    history.replaceState(history.state, '', location.pathname);
    void answerTo(query).then(setStep);
  }, [query]);

  if (query === '') return <Navigate to="/" replace />;
  if (step.at === 'working') return <WaitingPage text={TEXTS.working} />;
  // The page wanted first. `originOf` admits pages of this site only.
  if (step.at === 'done') return <RedirectPage to={originOf({ from: pendingNavigation.read() })} />;
  const done = () => setStep({ at: 'done' });
  const toLogin = () => void navigate('/identity/login', { replace: true });
  return (
    <Suspense fallback={<WaitingPage text={IDENTITY_TEXTS.loading} />}>
      {step.at === 'factor' ? (
        <FactorStep
          asked={step.asked}
          onBack={(lines) => (Array.isArray(lines) ? setStep({ at: 'refused', lines }) : toLogin())}
          onProven={({ link }) => {
            const { ticket } = step;
            // With the second factor a fresh sign-in is a new session.
            if (departure?.purpose === 'confirm') setStep({ at: 'confirmed' });
            else if (link === undefined || ticket === undefined) done();
            else setStep({ at: 'question', offer: { ...link, ticket } });
          }}
        />
      ) : step.at === 'confirmed' ? (
        <Confirmed />
      ) : (
        <IdentityFrame side={<Side />}>
          {step.at === 'refused' && <Refused departure={departure} lines={step.lines} onOtherWays={toLogin} />}
          {step.at === 'not linked' && (
            <LinkSignIn
              text={step.text}
              ticket={step.ticket}
              onSignedIn={(offer) => (offer === null ? done() : setStep({ at: 'question', offer }))}
              onFactor={(asked) => setStep({ at: 'factor', asked, ticket: step.ticket })}
              onRefused={(lines) => setStep({ at: 'refused', lines })}
              onNotNow={toLogin}
            />
          )}
          {step.at === 'question' && <LinkQuestion offer={step.offer} onDone={done} />}
        </IdentityFrame>
      )}
    </Suspense>
  );
}

export function Side() {
  return (
    <>
      <h2>{IDENTITY_TEXTS.sideLogin}</h2>
      <p>{TEXTS.opensNothing}</p>
    </>
  );
}

interface RefusedProps {
  readonly departure: ReturnType<typeof lastDeparture.read>;
  readonly lines: readonly string[];
  readonly onOtherWays: () => void;
}

/** A person who is signed in wanted to link, or to sign in again; another goes on signing in. */
function Refused({ departure, lines, onOtherWays }: RefusedProps) {
  const { user } = useSession();
  const navigate = useNavigate();
  const { leavingFor, problem, leave } = useLeaving();
  const isSignedIn = user !== null;
  const isInvited = !isSignedIn && departure?.purpose === 'invite';
  const isConfirming = isSignedIn && departure?.purpose === 'confirm';
  const signedInTitle = isConfirming ? TEXTS.confirm.failed : TEXTS.notLinked;
  const purpose = isConfirming ? 'confirm' : isSignedIn || isInvited ? null : 'login';
  const hasAgain = purpose !== null && departure !== null;
  const told = isInvited ? [...lines, TEXTS.invite.again] : lines;
  const back = () => void navigate(originOf({ from: pendingNavigation.read() }), { replace: true });
  return (
    <div className={styles['stack']}>
      <div className={styles['heading']}>
        <h1>{isSignedIn ? signedInTitle : TEXTS.refused}</h1>
      </div>
      <MessageBox tone="danger" lines={problem === null ? told : [problem]} />
      {hasAgain && (
        <Button
          variant="primary"
          size="lg"
          autoFocus
          busy={leavingFor !== null}
          onPress={() => void leave({ providerId: departure.providerId, purpose })}
        >
          {IDENTITY_TEXTS.tryAgain}
        </Button>
      )}
      <Button
        variant={isSignedIn && !hasAgain ? 'primary' : 'secondary'}
        size="lg"
        autoFocus={!hasAgain}
        onPress={isSignedIn ? back : onOtherWays}
      >
        {isSignedIn ? TEXTS.back : TEXTS.otherWays}
      </Button>
    </div>
  );
}
