/** Once a day, at the hour of each person: reminders of due entries, then one mail about unread notices. */
import { DIGEST_HOUR, isTimeZone, NOTICE_KINDS } from '@passwordbroker/core/domain/notices';
import { clockIn } from '../backups/schedule.ts';
import type { Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Deps } from '../http/context.ts';
import { mailNotices } from '../mail/notice-mail.ts';
import {
  type DailyPerson,
  listAmong,
  listEverybody,
  listReminders,
  listUntold,
  setMailed,
} from './daily-repository.ts';
import { listRotationsDue, storeSettings } from './notice-repository.ts';
import { choicesOf, notify } from './notify.ts';
import { dueSubjectText, readSubject } from './subject.ts';

type Parts = Pick<Deps, 'db' | 'clock' | 'newId' | 'noticesFrom' | 'timeZone'>;

/** People in one transaction. */
const AT_ONCE = 50;
const DAY = 24 * 60 * 60_000;
/** A late round also reminds for this many missed days. */
const MADE_UP_DAYS = 7;

/** May run often and in several processes: each person has one round in a local day. */
export async function dailyRound(deps: Parts, signal?: AbortSignal): Promise<void> {
  const isDue = dueAt(deps);
  const due = (await listEverybody(deps.db.read)).filter(isDue);
  for (const some of portions(due, AT_ONCE)) {
    signal?.throwIfAborted();
    await deps.db.transact(async (tx) => {
      const ids = some.map(({ user_id }) => user_id);
      // Another process may have been faster.
      const left = new Map((await listAmong(tx, ids)).filter(isDue).map((person) => [person.user_id, person]));
      for (const person of left.values()) await roundOf(tx, deps, person);
    });
  }
}

/** Whether the person's hour has passed today and there was no round today. */
function dueAt({ clock, timeZone }: Parts): (person: DailyPerson) => boolean {
  const now = clock.now();
  const known = new Map<string, ReturnType<typeof clockIn>>();
  return ({ digest_hour, digest_zone, digest_day }) => {
    const zone = zoneOf(digest_zone, timeZone);
    const local = known.get(zone) ?? clockIn(zone, now);
    known.set(zone, local);
    if (Number(local.hour) < (digest_hour ?? DIGEST_HOUR)) return false;
    if (digest_day === null) return true;
    // A last round on a later day comes from another time zone or clock; a much later one from a wrong clock (R63).
    return digest_day < dayOf(local) || digest_day > dayOf(clockIn(zone, now + 2 * DAY));
  };
}

/** Falls back to the server's time zone if none is chosen, or if this version of Node does not know the chosen one. */
const zoneOf = (chosen: string | null, ofServer: string): string =>
  chosen !== null && isTimeZone(chosen) ? chosen : ofServer;

const dayOf = ({ year, month, day }: ReturnType<typeof clockIn>) => `${year}-${month}-${day}`;

async function roundOf(tx: Transact, deps: Parts, person: DailyPerson): Promise<void> {
  const now = deps.clock.now();
  const day = dayOf(clockIn(zoneOf(person.digest_zone, deps.timeZone), now));
  await storeSettings(tx, person.user_id, { digest_day: day });
  await remind(tx, deps, person, Date.parse(day));
  if (deps.noticesFrom === null) return;
  const choices = choicesOf(person.choices ?? undefined);
  const kinds = NOTICE_KINDS.filter((kind) => choices[kind] === 'digest');
  const rows = await listUntold(tx, person.user_id, kinds);
  await setMailed(
    tx,
    rows.map(({ notice_id }) => notice_id),
    now,
  );
  await mailNotices(tx, deps, person, await openOnes(tx, rows));
}

/** Makes one notice about all entries of today's reminder. */
async function remind(tx: Transact, deps: Parts, person: DailyPerson, today: number): Promise<void> {
  const last = person.digest_day === null ? today - DAY : Date.parse(person.digest_day);
  const missed = Math.min(MADE_UP_DAYS, Math.max(1, Math.round((today - last) / DAY)));
  const days = Array.from({ length: missed }, (_, before) => today - before * DAY);
  const entries = await listReminders(tx, person.user_id, days);
  if (entries.length === 0) return;
  const subject = dueSubjectText(
    entries.map(({ entry_id }) => entry_id),
    entries.map(({ entry_group_id }) => entry_group_id),
  );
  await notify(tx, deps, null, [{ kind: 'entries_due', subject, to: [person.user_id] }]);
}

/** Leaves out groups that have new keys already. */
async function openOnes(tx: Transact, rows: Awaited<ReturnType<typeof listUntold>>) {
  const notices = rows.map(({ kind, subject }) => ({ kind, subject: readSubject(subject) }));
  const asked = notices.filter(({ kind }) => kind === 'keys_to_change').flatMap(({ subject }) => subject.groups);
  const due = new Set((await listRotationsDue(tx, [...new Set(asked)])).map(({ entry_group_id }) => entry_group_id));
  return notices.flatMap((notice) => {
    if (notice.kind !== 'keys_to_change') return [notice];
    const groups = notice.subject.groups.filter((id) => due.has(id));
    return groups.length === 0
      ? []
      : [{ ...notice, subject: { ...notice.subject, groups, group_count: groups.length } }];
  });
}
