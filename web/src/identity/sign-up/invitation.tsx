/** `/identity/invite/{inviteCode}` */
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { read } from '@passwordbroker/core/contract/users/invites';
import { AppError } from '@passwordbroker/core/contract/problem';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { lazyPart } from '../../lib/chunk.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { useSession } from '../../session/use-session.ts';
import { IDENTITY_TEXTS } from '../../texts/identity/identity.ts';
import { LOGOUT_TEXTS, INVITATION_TEXTS } from '../../texts/identity/signed-out.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { inviterIn } from '@passwordbroker/client/session/inviter-fragment';
import { IdentityFrame, RedirectPage, WaitingPage } from '../identity-frame.tsx';
import styles from '../identity-frame.module.css';
import { SignUpFormView, type Invited, TwoPasswords } from './sign-up.tsx';
import { session, http } from '../../page/page.ts';

/** Only on a site with identity providers. */
const InvitedWays = lazyPart('InvitedWays', () => import('../../sso/invited-ways.tsx'));

export function InvitationPage() {
  const { inviteCode = '' } = useParams();
  usePageTitle(INVITATION_TEXTS.acceptInvite);
  const { user, ways } = useSession();
  const [isForm, setForm] = useState(false);
  const { invitation, retry } = useInvitation(inviteCode);
  const [hasBegun, setBegun] = useState(false);

  if (invitation.state === 'in process') return <WaitingPage text={INVITATION_TEXTS.openingInvite} />;
  if (invitation.state === 'done' && user !== null) {
    // Accepting signs in; a person who is signed in already is asked first.
    return hasBegun ? <RedirectPage to="/" /> : <SignedInAlready name={user.name} />;
  }
  return (
    <IdentityFrame side={<TwoPasswords />}>
      {invitation.state === 'error' ? (
        <InviteError reason={invitation.reason} onRetry={retry} />
      ) : ways !== undefined && ways.providers.length > 0 && !isForm ? (
        <Suspense fallback={null}>
          <InvitedWays
            providers={ways.providers}
            invited={invitation.invited}
            onPassword={invitation.mayChoosePassword ? () => setForm(true) : null}
          />
        </Suspense>
      ) : (
        <SignUpFormView
          title={INVITATION_TEXTS.acceptInvite}
          hint={invitation.invited.name === null ? INVITATION_TEXTS.invitedEmail : INVITATION_TEXTS.invitedBoth}
          invited={invitation.invited}
          onBegin={() => setBegun(true)}
        />
      )}
    </IdentityFrame>
  );
}

/** @param reason null: not valid; otherwise why it could not be checked */
function InviteError({ reason, onRetry }: { readonly reason: string | null; readonly onRetry: () => void }) {
  const navigate = useNavigate();
  return (
    <div className={styles['stack']}>
      <div className={styles['heading']}>
        <h1>{INVITATION_TEXTS.acceptInvite}</h1>
      </div>
      <MessageBox tone="danger" title={INVITATION_TEXTS.inviteError} lines={[reason ?? INVITATION_TEXTS.inviteGone]} />
      <div className={styles['actions']}>
        {reason !== null && (
          <Button variant="primary" size="lg" onPress={onRetry}>
            {IDENTITY_TEXTS.tryAgain}
          </Button>
        )}
        <Button size="lg" onPress={() => void navigate('/identity/login')}>
          {INVITATION_TEXTS.goToLogin}
        </Button>
      </div>
    </div>
  );
}

function SignedInAlready({ name }: { readonly name: string }) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const logOut = async () => {
    setBusy(true);
    try {
      await session.logOut();
    } catch (failure) {
      setProblem(reasonOf(failure));
      setBusy(false);
    }
  };
  return (
    <IdentityFrame side={<TwoPasswords />}>
      <div className={styles['stack']}>
        <div className={styles['heading']}>
          <h1>{INVITATION_TEXTS.acceptInvite}</h1>
        </div>
        <MessageBox tone="info" lines={[INVITATION_TEXTS.signedInAlready(name)]} />
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <div className={styles['actions']}>
          <Button
            variant="primary"
            size="lg"
            busy={isBusy}
            busyLabel={LOGOUT_TEXTS.loggingOut}
            onPress={() => void logOut()}
          >
            {INVITATION_TEXTS.logOutFirst}
          </Button>
          <Button variant="ghost" size="lg" isDisabled={isBusy} onPress={() => void navigate('/')}>
            {INVITATION_TEXTS.stayIn}
          </Button>
        </div>
      </div>
    </IdentityFrame>
  );
}

interface Found {
  readonly invited: Invited;
  readonly mayChoosePassword: boolean;
}

type Invitation =
  | { readonly state: 'in process' }
  | ({ readonly state: 'done' } & Found)
  /** Null: unknown, used, revoked or expired; the server does not say which. */
  | { readonly state: 'error'; readonly reason: string | null };

/** docs/spec/product.md §4 */
function useInvitation(token: string): { readonly invitation: Invitation; readonly retry: () => void } {
  const [tries, setTries] = useState(0);
  const attempt = `${tries} ${token}`;
  const [found, setFound] = useState<{ readonly of: string; readonly invitation: Invitation } | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    invitationOf(token, leaving.signal).then(
      (invitation) => setFound({ of: attempt, invitation: { state: 'done', ...invitation } }),
      (failure: unknown) => {
        if (leaving.signal.aborted) return;
        const isGone = failure instanceof AppError && failure.code === 'not_found';
        const reason = isGone ? null : reasonOf(failure);
        setFound({ of: attempt, invitation: { state: 'error', reason } });
      },
    );
    return () => leaving.abort();
  }, [token, attempt]);
  const invitation: Invitation = found?.of === attempt ? found.invitation : { state: 'in process' };
  return { invitation, retry: useCallback(() => setTries((count) => count + 1), []) };
}

/** Asks the server of this page, even if the person is signed in elsewhere. */
async function invitationOf(token: string, signal: AbortSignal): Promise<Found> {
  const { server, status } = session.view();
  if (server !== null) await session.changeServer(null);
  else if (status === 'loading') await session.check();
  const { name, email, with_password } = await http.call(read, { params: { token }, signal });
  return { invited: { token, name, email, inviter: inviterIn(location.hash) }, mayChoosePassword: with_password };
}
