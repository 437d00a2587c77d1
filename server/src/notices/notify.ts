import {
  NOTICE_LIMITS,
  USUAL_DELIVERY,
  type Delivery,
  type NoticeChoices,
  type NoticeKind,
} from '@passwordbroker/core/domain/notices';
import type { Transact } from '../db/database.ts';
import type { Deps } from '../http/context.ts';
import { latestPast } from '../platform/clock.ts';
import { mailNotices } from '../mail/notice-mail.ts';
import { deleteNotices, insertNotices, listRecipients, listSame, listSettings } from './notice-repository.ts';
import { readSubject } from './subject.ts';

export interface NewNotice {
  readonly kind: NoticeKind;
  /** Of `subjectText`. */
  readonly subject: string;
  readonly to: readonly string[];
}

type Parts = Pick<Deps, 'clock' | 'newId' | 'noticesFrom'>;

/**
 * Writes notices in the transaction of the operation that they are about, which must run alone (`transact`).
 * `actorId` gets none. Repeats within an hour become one notice with a count, which is unread again.
 */
export async function notify(
  tx: Transact,
  deps: Parts,
  actorId: string | null,
  notices: readonly NewNotice[],
): Promise<void> {
  const told = notices.map((notice) => ({ ...notice, to: notice.to.filter((userId) => userId !== actorId) }));
  const people = [...new Set(told.flatMap(({ to }) => to))];
  if (people.length === 0) return;
  const deliveries = await deliveriesOf(tx, people);
  const now = deps.clock.now();
  const mails = new Map<string, NewNotice[]>();
  for (const notice of told) {
    const { kind, subject } = notice;
    const to = notice.to.filter((userId) => deliveries(userId, kind) !== 'off');
    if (to.length === 0) continue;
    const repeats = await takeRepeats(tx, to, { kind, subject, now });
    const rows = to.map((user_id) => {
      const isMailed = deliveries(user_id, kind) === 'mail' && deps.noticesFrom !== null;
      // A repeat is not mailed again.
      if (isMailed && !repeats.has(user_id)) mails.set(user_id, [...(mails.get(user_id) ?? []), notice]);
      return {
        notice_id: deps.newId(),
        user_id,
        kind,
        subject,
        repeats: (repeats.get(user_id) ?? 0) + 1,
        created_at: now,
        read_at: null,
        mailed_at: isMailed ? now : null,
      };
    });
    await insertNotices(tx, rows);
  }
  for (const person of await listRecipients(tx, [...mails.keys()])) {
    const all = (mails.get(person.user_id) ?? []).map(({ kind, subject }) => ({ kind, subject: readSubject(subject) }));
    await mailNotices(tx, deps, person, all);
  }
}

/** Removes the notices that the new ones repeat. Returns how often each person has got this one. */
async function takeRepeats(
  tx: Transact,
  to: readonly string[],
  { kind, subject, now }: { readonly kind: NoticeKind; readonly subject: string; readonly now: number },
): Promise<ReadonlyMap<string, number>> {
  const time = { after: now - NOTICE_LIMITS.mergeMs, until: latestPast(now) };
  const same = await listSame(tx, to, { kind, subject, ...time });
  await deleteNotices(
    tx,
    same.map(({ notice_id }) => notice_id),
  );
  return new Map(same.map(({ user_id, repeats }) => [user_id, repeats]));
}

/** How each of the people gets a kind of notice. */
async function deliveriesOf(
  tx: Parameters<typeof listSettings>[0],
  people: readonly string[],
): Promise<(userId: string, kind: NoticeKind) => Delivery> {
  const chosen = new Map(
    (await listSettings(tx, people)).map(({ user_id, choices }) => [user_id, choicesOf(choices)] as const),
  );
  return (userId, kind) => (chosen.get(userId) ?? USUAL_DELIVERY)[kind];
}

/** Stored choices with the usual delivery of all other kinds. */
export const choicesOf = (stored: string | undefined): NoticeChoices => ({
  ...USUAL_DELIVERY,
  ...(stored === undefined ? {} : (JSON.parse(stored) as Partial<NoticeChoices>)),
});
