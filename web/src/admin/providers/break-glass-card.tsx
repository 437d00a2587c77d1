import type { User } from '@passwordbroker/core/contract/users/user';
import { Button } from '@passwordbroker/ui/actions/button';
import { Badge } from '@passwordbroker/ui/display/badge';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import account from '../../account/account.module.css';
import { Listed } from '../../account/section.tsx';
import { useMayChange } from '../../session/use-session.ts';
import { ADMIN_PROVIDERS_TEXTS } from '../../texts/admin/providers.ts';
import { ADMIN_PATHS } from '../admin-paths.ts';
import admin from '../admin.module.css';
import { UserActionDialog } from '../users/user-action-dialog.tsx';
import { useBreakGlass } from './use-providers.ts';

const TEXTS = ADMIN_PROVIDERS_TEXTS.breakGlass;

/** Why it could not sign in while others cannot, as `isBreakGlass` of the server judges; empty: it could. */
export const lacksOf = ({ disabled, is_admin, has_password, factor_state }: User): string[] => [
  ...(disabled === true ? [TEXTS.lacks.disabled] : []),
  ...(is_admin ? [] : [TEXTS.lacks.admin]),
  ...(has_password === false ? [TEXTS.lacks.password] : []),
  ...(factor_state === undefined ? [TEXTS.lacks.factor] : []),
];

/** @param onChanged after an account is no break-glass account any more */
export function BreakGlassCard({ onChanged }: { readonly onChanged: () => Promise<unknown> }) {
  const id = useId();
  const mayChange = useMayChange();
  const { data = [], error, isPending, refetch } = useBreakGlass();
  const [ending, setEnding] = useState<User | null>(null);
  return (
    <section className={admin['card']} aria-labelledby={id}>
      <div>
        <h2 id={id}>{TEXTS.title}</h2>
        <p className={admin['hint']}>{TEXTS.hint}</p>
      </div>
      <Listed error={error} isPending={isPending} failed={TEXTS.failed} onRetry={() => void refetch()}>
        {data.length === 0 && <li className={account['none']}>{TEXTS.none}</li>}
        {data.map((user) => (
          <Row key={user.user_id} user={user} onEnd={mayChange ? () => setEnding(user) : null} />
        ))}
      </Listed>
      {mayChange && (
        <p className={admin['hint']}>
          {TEXTS.how}{' '}
          <Link className={admin['back']} to={ADMIN_PATHS.users}>
            {TEXTS.users}
          </Link>
        </p>
      )}
      {ending !== null && (
        <UserActionDialog action="endBreakGlass" user={ending} onDone={onChanged} onClose={() => setEnding(null)} />
      )}
    </section>
  );
}

function Row({ user, onEnd }: { readonly user: User; readonly onEnd: (() => void) | null }) {
  const lacks = lacksOf(user);
  return (
    <li className={account['row']}>
      <div className={account['what']}>
        <p className={account['name']}>{user.name}</p>
        <p className={account['facts']}>
          <span>{user.email}</span>
          {lacks.map((text) => (
            <span key={text}>{text}</span>
          ))}
        </p>
      </div>
      <Badge
        tone={lacks.length === 0 ? 'success' : 'warning'}
        text={lacks.length === 0 ? TEXTS.ready : TEXTS.notReady}
      />
      {onEnd !== null && (
        <Button size="sm" label={TEXTS.endNamed(user.name)} onPress={onEnd}>
          {TEXTS.end}
        </Button>
      )}
    </li>
  );
}
