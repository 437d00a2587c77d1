/** The identity providers that the account is linked to, on the account page. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { links, type SsoLink, unlink } from '@passwordbroker/core/contract/account/sso';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import account from '../account/account.module.css';
import { focusAfter, Listed, Section } from '../account/section.tsx';
import { tellDone } from '../activity-log/activity-log.ts';
import { formatTime } from '../lib/format.ts';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { pendingNavigation } from '../session/guard.tsx';
import { useSession } from '../session/use-session.ts';
import { SSO_TEXTS } from '../texts/identity/sso.ts';
import { useLeaving } from './leaving.ts';

const TEXTS = SSO_TEXTS.links;
const ANCHOR = 'single-sign-on';

interface Provider {
  readonly provider_id: string;
  readonly name: string;
}

/** Nothing on a site without identity providers. */
export function LinksSection() {
  const { server, ways } = useSession();
  return server === null && ways !== undefined ? <OwnLinks providers={ways.providers} /> : null;
}

function OwnLinks({ providers }: { readonly providers: readonly Provider[] }) {
  const { data, error, isPending, refetch } = useOwnLinks(true);
  const { leavingFor, problem, leave } = useLeaving((act) => freshSignIn.tryRun(act));
  const unlinked = providers.filter(({ provider_id }) => !data?.some((link) => link.provider_id === provider_id));
  const begin = (providerId: string) => {
    pendingNavigation.keep(`/account#${ANCHOR}`);
    void leave({ providerId, purpose: 'link' });
  };
  return (
    <Section id={ANCHOR} title={TEXTS.title} hint={SSO_TEXTS.opensNothing}>
      <Listed error={error} isPending={isPending} failed={TEXTS.failed} onRetry={() => void refetch()}>
        {data?.map((link) => (
          <LinkRow key={link.link_id} link={link} onUnlinked={refetch} />
        ))}
        {unlinked.map(({ provider_id, name }) => (
          <li key={provider_id} className={account['row']}>
            <div className={account['what']}>
              <p className={account['name']}>{name}</p>
              <p className={account['facts']}>
                <span>{TEXTS.none}</span>
              </p>
            </div>
            <Button
              size="sm"
              label={TEXTS.linkNamed(name)}
              busy={leavingFor === provider_id}
              busyLabel={SSO_TEXTS.leaving(name)}
              isDisabled={leavingFor !== null}
              onPress={() => begin(provider_id)}
            >
              {SSO_TEXTS.link}
            </Button>
          </li>
        ))}
      </Listed>
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {data !== undefined && unlinked.length > 0 && <p className={account['hint']}>{TEXTS.linkHint}</p>}
    </Section>
  );
}

export function useOwnLinks(isAsked: boolean) {
  return useQuery({
    queryKey: ['account', 'sso-links'],
    queryFn: ({ signal }) => http.call(links, { signal }),
    enabled: isAsked,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}

interface RowProps {
  readonly link: SsoLink;
  readonly onUnlinked: () => Promise<unknown>;
}

function LinkRow({ link, onUnlinked }: RowProps) {
  const [isAsking, setAsking] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const { link_id, name } = link;
  const end = async () => {
    await http.call(unlink, { params: { linkId: link_id } });
    return {};
  };
  return (
    <li ref={row} className={account['row']}>
      <div className={account['what']}>
        <p className={account['name']}>{name}</p>
        <p className={account['facts']}>
          {factsOf(link).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      </div>
      <Button size="sm" label={TEXTS.unlinkNamed(name)} onPress={() => setAsking(true)}>
        {TEXTS.unlink}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={TEXTS.unlinkTitle(name)}
          cancel={TEXTS.cancel}
          confirm={TEXTS.unlink}
          confirming={TEXTS.unlinking}
          onConfirm={async () => {
            const keepFocus = focusAfter(row.current);
            if ((await freshSignIn.tryRun(end)) === null) return;
            setAsking(false);
            tellDone(TEXTS.unlinked(name));
            await onUnlinked();
            keepFocus();
          }}
          onClose={() => setAsking(false)}
          problemOf={reasonOf}
        >
          <p>{TEXTS.unlinkText(name)}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

const factsOf = ({ email_then, created_at, last_used_at }: SsoLink) => [
  ...(email_then === '' ? [] : [TEXTS.linkedAs(email_then)]),
  TEXTS.since(formatTime(created_at)),
  last_used_at === null ? TEXTS.neverUsed : TEXTS.lastUsed(formatTime(last_used_at)),
];
