/** Names and states are read for each response: what a person may read can change after a notice. */
import type { Notice, listAll } from '@passwordbroker/core/contract/account/notices';
import type { AnswerOf, QueryOf } from '@passwordbroker/core/contract/endpoint';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { dueSoonUntil } from '@passwordbroker/core/domain/notices';
import type { Database } from '../db/database.ts';
import type { Deps } from '../http/context.ts';
import { portions } from '../db/portions.ts';
import { listNames } from '../entries/names-repository.ts';
import { listStillDue } from './daily-repository.ts';
import { countUnread, listFormerNames, listNotices, listRotationsDue, type NoticeRow } from './notice-repository.ts';
import { MOST_IDS, readSubject, type Subject } from './subject.ts';

/** Groups of one notice whose names are looked up, and shown. */
const LOOKED_UP = 10;
const SHOWN = 3;

export async function noticesPage(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: string,
  { before, limit = LIMITS.pageDefault }: QueryOf<typeof listAll>,
): Promise<AnswerOf<typeof listAll>> {
  const rows = await listNotices(db.read, userId, { before, limit });
  const subjects = rows.map(({ subject }) => readSubject(subject));
  const [unread, names, formerNames, due, entries] = await Promise.all([
    countUnread(db.read, userId),
    namesFor(db, userId, subjects),
    listFormerNames(
      db.read,
      userId,
      subjects.flatMap(({ user }) => user ?? []),
    ),
    listRotationsDue(db.read, [...new Set(subjects.flatMap(({ groups }) => groups))]),
    listStillDue(db, userId, [...new Set(subjects.flatMap((one) => one.entries ?? []))], dueSoonUntil(clock.now())),
  ]);
  const known: Known = {
    names,
    formerNames: new Map(formerNames.map(({ user_id, user_name }) => [user_id, user_name])),
    rotationsDue: new Set(due.map(({ entry_group_id }) => entry_group_id)),
    dueEntries: new Map(entries.map((entry) => [entry.entry_id, entry])),
  };
  return { unread, data: rows.map((row, at) => asNotice(row, subjects[at] ?? NOTHING, known)) };
}

const NOTHING: Subject = { groups: [], group_count: 0 };

interface Known {
  readonly names: ReadonlyMap<string, string>;
  readonly formerNames: ReadonlyMap<string, string>;
  readonly rotationsDue: ReadonlySet<string>;
  readonly dueEntries: ReadonlyMap<string, Notice['entries'][number]>;
}

async function namesFor(db: Database, userId: string, subjects: readonly Subject[]): Promise<Map<string, string>> {
  const ids = new Set(
    subjects.flatMap(({ groups, user }) => [...groups.slice(0, LOOKED_UP), ...(user === undefined ? [] : [user])]),
  );
  const names = new Map<string, string>();
  for (const portion of portions([...ids], LIMITS.namesAtOnce)) {
    for (const { id, title } of await listNames(db, userId, portion)) names.set(id, title);
  }
  return names;
}

function asNotice(row: NoticeRow, subject: Subject, known: Known): Notice {
  const { groups, group_count, user, role } = subject;
  const due = (subject.entries ?? []).flatMap((id) => known.dueEntries.get(id) ?? []);
  const { entry_count = 0 } = subject;
  const name = user === undefined ? undefined : (known.names.get(user) ?? known.formerNames.get(user));
  return {
    notice_id: row.notice_id,
    kind: row.kind,
    count: row.repeats,
    created_at: new Date(row.created_at).toISOString(),
    is_read: row.read_at !== null,
    role: role ?? null,
    person: user === undefined || name === undefined ? null : { user_id: user, name },
    groups: groups
      .slice(0, LOOKED_UP)
      .flatMap((id) => {
        const title = known.names.get(id);
        return title === undefined ? [] : [{ entry_group_id: id, name: title }];
      })
      .slice(0, SHOWN),
    group_count,
    entries: due.slice(0, SHOWN),
    // Only the first entries are looked up.
    entry_count: due.length === MOST_IDS ? entry_count : due.length,
    is_done:
      (row.kind === 'keys_to_change' && !groups.some((id) => known.rotationsDue.has(id))) ||
      (row.kind === 'entries_due' && due.length === 0),
  };
}
