/** `/identity/sso/callback`: the page to which an identity provider leads back. */
import { Suspense, useEffect, useRef, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { finishSso, type LinkOffer, linkTicketOf } from '@passwordbroker/client/session/single-sign-on';
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
import { lastProvider, useLeaving } from './leaving.ts';

const FactorStep = lazyPart('FactorStep', () => import('../identity/factor/factor-step.tsx'));
const LinkSignIn = lazyPart('LinkSignIn', () => import('./link-sign-in.tsx'));
/** Loads with the vault, for the fresh sign-in. */
const LinkQuestion = lazyPart('LinkQuestion', () => import('./link-question.tsx'));

type Step =
  | { readonly at: 'working' | 'done' }
  /** `ticket`: of the link that the sign-in is for. */
  | { readonly at: 'factor'; readonly asked: AppError; readonly ticket?: string }
  /** An account has the address, and is not linked. */
  | { readonly at: 'not linked'; readonly text: string; readonly ticket: string }
  | { readonly at: 'question'; readonly offer: LinkOffer }
  | { readonly at: 'refused'; readonly lines: readonly string[] };

async function answerTo(query: string): Promise<Step> {
  try {
    const offer = await finishSso({ http, session }, query);
    return offer === null ? { at: 'done' } : { at: 'question', offer };
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
            if (link === undefined || ticket === undefined) done();
            else setStep({ at: 'question', offer: { ...link, ticket } });
          }}
        />
      ) : (
        <IdentityFrame side={<Side />}>
          {step.at === 'refused' && <Refused lines={step.lines} onOtherWays={toLogin} />}
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
  readonly lines: readonly string[];
  readonly onOtherWays: () => void;
}

/** A person who is signed in wanted to link; another goes on signing in. */
function Refused({ lines, onOtherWays }: RefusedProps) {
  const { user } = useSession();
  const navigate = useNavigate();
  const [provider] = useState(() => lastProvider.read());
  const { leavingFor, problem, leave } = useLeaving();
  const isSignedIn = user !== null;
  const back = () => void navigate(originOf({ from: pendingNavigation.read() }), { replace: true });
  return (
    <div className={styles['stack']}>
      <div className={styles['heading']}>
        <h1>{isSignedIn ? TEXTS.notLinked : TEXTS.refused}</h1>
      </div>
      <MessageBox tone="danger" lines={problem === null ? lines : [problem]} />
      {isSignedIn ? (
        <Button variant="primary" size="lg" autoFocus onPress={back}>
          {TEXTS.back}
        </Button>
      ) : (
        <>
          {provider !== null && (
            <Button
              variant="primary"
              size="lg"
              autoFocus
              busy={leavingFor !== null}
              onPress={() => void leave({ providerId: provider, purpose: 'login' })}
            >
              {IDENTITY_TEXTS.tryAgain}
            </Button>
          )}
          <Button size="lg" autoFocus={provider === null} onPress={onOtherWays}>
            {TEXTS.otherWays}
          </Button>
        </>
      )}
    </div>
  );
}
