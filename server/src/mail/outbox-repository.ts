import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { listSiteAdmins } from '../users/user-repository.ts';
import type { Circumstances, Notice } from './texts.ts';

export type OutboxRow = Tables['mail_outbox'];

export async function insertMail(tx: Transact, ...rows: readonly OutboxRow[]): Promise<void> {
  await tx.insertInto('mail_outbox').values(rows).execute();
}

/**
 * Oldest first.
 * @param latest latest due time by number of failures; later ones are due too, because the clock was set back
 */
export async function listDueMail(
  { read }: Pick<Database, 'read'>,
  now: number,
  latest: readonly number[],
  limit: number,
): Promise<OutboxRow[]> {
  return read
    .selectFrom('mail_outbox')
    .selectAll()
    .where((row) =>
      row.or([
        row('due_at', '<=', now),
        ...latest.map((at, attempts) => row.and([row('attempts', '=', attempts), row('due_at', '>', at)])),
      ]),
    )
    .orderBy('due_at')
    .orderBy('mail_id')
    .limit(limit)
    .execute();
}

export async function countWaitingMail({ read }: Pick<Database, 'read'>): Promise<number> {
  const counted = read.selectFrom('mail_outbox').select((eb) => eb.fn.countAll<number>().as('n'));
  return Number((await counted.executeTakeFirstOrThrow()).n);
}

export async function deleteMail(tx: Transact, mailId: string): Promise<void> {
  await tx.deleteFrom('mail_outbox').where('mail_id', '=', mailId).execute();
}

export async function postponeMail(tx: Transact, mailId: string, attempts: number, dueAt: number): Promise<void> {
  await tx.updateTable('mail_outbox').set({ attempts, due_at: dueAt }).where('mail_id', '=', mailId).execute();
}

interface Told {
  readonly to: { readonly name: string; readonly email: string };
  readonly origin: Pick<Origin, 'address' | 'userAgent'>;
  /** The site admin who caused it; null for the command line, absent for the person. */
  readonly by?: Pick<Actor, 'name'> | null;
  /** Name of the other person, provider or setting that the notice is about. */
  readonly about?: string;
  /** Of a sign-in: the means. */
  readonly how?: string;
}

type NoticeDeps = Pick<Deps, 'noticesFrom' | 'newId' | 'clock'>;

/** Queues a notice (docs/spec/threats.md §3.1.11) in the transaction. Does nothing without a mail server. */
export async function giveNotice(tx: Transact, deps: NoticeDeps, notice: Notice, { to, ...told }: Told): Promise<void> {
  await queueNotices(tx, deps, notice, [to], told);
}

/** `giveNotice` to each enabled site admin whose id is not in `except`. */
export async function noticeToSiteAdmins(
  tx: Transact,
  deps: NoticeDeps,
  notice: Notice,
  told: Omit<Told, 'to'>,
  except: readonly string[] = [],
): Promise<void> {
  if (deps.noticesFrom === null) return;
  const admins = await listSiteAdmins(tx);
  await queueNotices(
    tx,
    deps,
    notice,
    admins.filter(({ user_id }) => !except.includes(user_id)),
    told,
  );
}

async function queueNotices(
  tx: Transact,
  { noticesFrom: site, clock, newId }: NoticeDeps,
  notice: Notice,
  people: readonly Told['to'][],
  { origin, by, about, how }: Omit<Told, 'to'>,
): Promise<void> {
  if (site === null || people.length === 0) return;
  const now = clock.now();
  const circumstances = {
    site,
    at: new Date(now).toISOString(),
    address: origin.address,
    agent: origin.userAgent,
    ...(by === undefined ? {} : { by: by?.name ?? 'the command line of the server' }),
    ...(about === undefined ? {} : { about }),
    ...(how === undefined ? {} : { how }),
  };
  await insertMail(
    tx,
    ...people.map(({ name, email }) => {
      const details: Circumstances = { name, ...circumstances };
      const times = { created_at: now, due_at: now, attempts: 0 };
      return { mail_id: newId(), notice, recipient: email, details: JSON.stringify(details), ...times };
    }),
  );
}
