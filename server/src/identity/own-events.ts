import { OWN_EVENTS, type OwnEvents } from '@passwordbroker/core/contract/account/credentials';
import type { Actor, Deps } from '../http/context.ts';

const MOST = 20;
const NONE: OwnEvents = { since: null, events: [] };

type Event = OwnEvents['events'][number];

/** Mails tell the same at once, so this is for sites that send none. */
export async function eventsSinceLastSignIn(deps: Deps, actor: Actor): Promise<OwnEvents> {
  if (deps.noticesFrom !== null) return NONE;
  const [present, before] = await lastSignIns(deps, actor);
  if (present === undefined || before === undefined) return NONE;
  const span = { after: before, until: present };
  const rows = [...(await rowsOf(deps, actor, span, 'own')), ...(await rowsOf(deps, actor, span, 'others'))];
  const newest = rows.toSorted((a, b) => b.created_at - a.created_at).slice(0, MOST);
  return {
    since: new Date(before).toISOString(),
    events: newest.map(({ event_type, created_at, address, by_other }) => ({
      event_type: event_type as Event['event_type'],
      created_at: new Date(created_at).toISOString(),
      by_other,
      address: by_other ? null : address,
    })),
  };
}

/** The times of the sign-in that this session began with, and of the one before, in any browser. */
async function lastSignIns({ db }: Deps, { userId, sessionId }: Actor): Promise<number[]> {
  const session = db.read.selectFrom('sessions').select('created_at').where('session_id', '=', sessionId);
  const found = await session.executeTakeFirst();
  const rows = await db.read
    .selectFrom('audit_log')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('event_type', '=', 'login')
    .where('created_at', '<=', found?.created_at ?? 0)
    .orderBy('created_at', 'desc')
    .orderBy('audit_id', 'desc')
    .limit(2)
    .execute();
  return rows.map(({ created_at }) => created_at);
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
