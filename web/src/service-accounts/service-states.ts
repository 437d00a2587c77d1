import type { ServiceAccount } from '@passwordbroker/core/contract/users/service-accounts';
import { SERVICE_TEXTS } from '../texts/identity/services.ts';

const TEXTS = SERVICE_TEXTS.states;
const DAY = 24 * 60 * 60 * 1000;
/** As `pb` and the mail to the owner warn. */
const NEAR_DAYS = 14;
const UNUSED_DAYS = 30;

export interface Mark {
  readonly text: string;
  readonly tone: 'plain' | 'success' | 'warning' | 'danger';
}

type Judged = Pick<ServiceAccount, 'owner' | 'disabled' | 'credentials' | 'credential_due'>;

/** What a list says beside the name. @param now Unix ms */
export function marksOf(account: Judged, now: number): readonly Mark[] {
  const { owner, disabled, credential_due } = account;
  const state: Mark = disabled ? { text: TEXTS.disabled, tone: 'plain' } : stateOf(account, now);
  if (owner === null) return [state, { text: TEXTS.noOwner, tone: 'danger' }];
  return credential_due ? [state, { text: TEXTS.due, tone: 'warning' }] : [state];
}

function stateOf({ credentials }: Judged, now: number): Mark {
  if (credentials.length === 0) return { text: TEXTS.ended, tone: 'danger' };
  const latest = (times: readonly string[]) => Math.max(...times.map((time) => Date.parse(time)));
  const left = Math.floor((latest(credentials.map(({ expires_at }) => expires_at)) - now) / DAY);
  if (left < NEAR_DAYS) return { text: TEXTS.ending(Math.max(0, left)), tone: 'warning' };
  const lastUsed = credentials.map(({ last_used_at, created_at }) => last_used_at ?? created_at);
  const unused = Math.floor((now - latest(lastUsed)) / DAY);
  if (unused >= UNUSED_DAYS) return { text: TEXTS.unused(unused), tone: 'warning' };
  if (credentials.every(({ last_used_at }) => last_used_at === null)) return { text: TEXTS.fresh, tone: 'plain' };
  return { text: TEXTS.used, tone: 'success' };
}

/** The owners who left, each with the number of accounts that nobody owns since. */
export function formerOwners(services: readonly Pick<ServiceAccount, 'owner' | 'former_owner'>[]) {
  const counts = new Map<string, number>();
  for (const { owner, former_owner: name } of services)
    if (owner === null && name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count }));
}
