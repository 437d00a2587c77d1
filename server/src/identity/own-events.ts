import { OWN_EVENTS, type OwnEvents } from '@passwordbroker/core/contract/account/credentials';
import { DAY } from '../http/auth/session.ts';
import type { Actor, Deps } from '../http/context.ts';

const MOST = 20;
/** No sign-in ends it sooner: it might be that of a program or of a stranger. */
const TOLD_MS = 30 * DAY;
const NONE: OwnEvents = { since: null, events: [] };

type Event = OwnEvents['events'][number];

/** Mails tell the same at once, so this is for sites that send none. */
export async function eventsBeforeSignIn(deps: Deps, actor: Actor): Promise<OwnEvents> {
  if (deps.noticesFrom !== null) return NONE;
  const session = await deps.db.read
    .selectFrom('sessions')
    .select('created_at')
    .where('session_id', '=', actor.sessionId)
    .executeTakeFirst();
  if (session === undefined) return NONE;
  const span = { after: session.created_at - TOLD_MS, until: session.created_at };
  const rows = [...(await rowsOf(deps, actor, span, 'own')), ...(await rowsOf(deps, actor, span, 'others'))];
  const newest = rows.toSorted((a, b) => b.created_at - a.created_at).slice(0, MOST);
  return {
    since: new Date(span.after).toISOString(),
    events: newest.map(({ event_type, created_at, address, by_other }) => ({
      event_type: event_type as Event['event_type'],
      created_at: new Date(created_at).toISOString(),
      by_other,
      address: by_other ? null : address,
    })),
  };
}

interface Span {
  readonly after: number;
  readonly until: number;
}

/** Two queries in place of one, because each has its index. */
async function rowsOf({ db }: Deps, { userId }: Actor, { after, until }: Span, whose: 'own' | 'others') {
  const rows = await db.read
    .selectFrom('audit_log')
    .select(['event_type', 'created_at', 'address', 'user_id', 'details'])
    .where(whose === 'own' ? 'user_id' : 'target_id', '=', userId)
    // Not what the caller did to the accounts of others.
    .where((eb) =>
      eb.or([eb('target_type', 'is', null), eb('target_type', '!=', 'user'), eb('target_id', '=', userId)]),
    )
    .where('created_at', '>=', after)
    .where('created_at', '<', until)
    .where('event_type', 'in', OWN_EVENTS)
    .orderBy('created_at', 'desc')
    .limit(MOST)
    .execute();
  return rows
    .map((row) => ({ ...row, by_other: row.user_id !== userId }))
    .filter(({ by_other, event_type, details }) => by_other === (whose === 'others') && matters(event_type, details));
}

/** A new name gives and takes no access. */
function matters(event: string, details: string | null): boolean {
  if (event !== 'user_updated') return true;
  const { email, password, disabled, released } = JSON.parse(details ?? '{}') as Readonly<Record<string, unknown>>;
  return email === true || password === true || disabled !== undefined || released === true;
}
