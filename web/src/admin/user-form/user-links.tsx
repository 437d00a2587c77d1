/** The sign-in services that an account is linked to. A site admin ends a link, for a person who is a new one there. */
import { linksOfUser, type SsoLink, unlinkUser } from '@passwordbroker/core/contract/account/sso';
import type { User } from '@passwordbroker/core/contract/users/user';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import account from '../../account/account.module.css';
import { Listed } from '../../account/section.tsx';
import { tellDone } from '../../activity-log/activity-log.ts';
import { formatTime } from '../../lib/format.ts';
import { http } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_PROVIDERS_TEXTS } from '../../texts/admin/providers.ts';
import admin from '../admin.module.css';
import { USERS_KEY } from '../users/use-users.ts';

const TEXTS = ADMIN_PROVIDERS_TEXTS.links;

interface Props {
  readonly user: User;
  readonly onChanged: () => Promise<unknown>;
}

/** Nothing for an account without links. */
export function UserLinks({ user, onChanged }: Props) {
  const id = useId();
  const [ending, setEnding] = useState<SsoLink | null>(null);
  const params = { id: user.user_id };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...USERS_KEY, 'links', user.user_id],
    queryFn: ({ signal }) => http.call(linksOfUser, { params, signal }),
    enabled: user.providers !== undefined,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  if (user.providers === undefined) return null;
  const end = async ({ link_id, name }: SsoLink) => {
    const call = async () => {
      await http.call(unlinkUser, { params: { ...params, linkId: link_id } });
      return {};
    };
    if ((await freshSignIn.tryRun(call)) === null) return;
    tellDone(TEXTS.ended(user.name, name));
    setEnding(null);
    await onChanged();
  };
  return (
    <section className={`${admin['card']} ${admin['small']}`} aria-labelledby={id}>
      <div>
        <h2 id={id}>{TEXTS.title}</h2>
        <p className={admin['hint']}>{TEXTS.hint}</p>
      </div>
      <Listed error={error} isPending={isPending} failed={TEXTS.failed} onRetry={() => void refetch()}>
        {data?.map((link) => (
          <Row key={link.link_id} link={link} onEnd={() => setEnding(link)} />
        ))}
      </Listed>
      {ending !== null && (
        <ConfirmDialog
          title={TEXTS.question(user.name, ending.name)}
          cancel={ADMIN_TEXTS.cancel}
          confirm={TEXTS.end}
          confirming={TEXTS.ending}
          onConfirm={() => end(ending)}
          onClose={() => setEnding(null)}
          problemOf={reasonOf}
        >
          <p>{TEXTS.text(user.name)}</p>
          {user.has_password === false && data?.length === 1 && <p>{TEXTS.onlyWay(user.name)}</p>}
        </ConfirmDialog>
      )}
    </section>
  );
}

function Row({ link, onEnd }: { readonly link: SsoLink; readonly onEnd: () => void }) {
  const { name, email_then, created_at, last_used_at } = link;
  return (
    <li className={account['row']}>
      <div className={account['what']}>
        <p className={account['name']}>{name}</p>
        <p className={account['facts']}>
          {email_then !== '' && <span>{TEXTS.linkedAs(email_then)}</span>}
          <span>{TEXTS.since(formatTime(created_at))}</span>
          <span>{last_used_at === null ? TEXTS.neverUsed : TEXTS.lastUsed(formatTime(last_used_at))}</span>
        </p>
      </div>
      <Button size="sm" label={TEXTS.endNamed(name)} onPress={onEnd}>
        {TEXTS.end}
      </Button>
    </li>
  );
}
