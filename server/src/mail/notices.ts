import type { Transact } from '../db/database.ts';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { insertMail } from './outbox-repository.ts';
import type { Circumstances, Notice } from './texts.ts';

interface Told {
  readonly to: { readonly name: string; readonly email: string };
  readonly origin: Pick<Origin, 'address' | 'userAgent'>;
  /** The site admin who caused it; null for the command line, absent for the person. */
  readonly by?: Pick<Actor, 'name'> | null;
}

/** Queues a notice (docs/spec/threats.md §3.1.11) in the transaction. Does nothing without a mail server. */
export async function giveNotice(
  tx: Transact,
  deps: Pick<Deps, 'noticesFrom' | 'newId' | 'clock'>,
  notice: Notice,
  { to, origin, by }: Told,
): Promise<void> {
  if (deps.noticesFrom === null) return;
  const now = deps.clock.now();
  const details: Circumstances = {
    name: to.name,
    site: deps.noticesFrom,
    at: new Date(now).toISOString(),
    address: origin.address,
    agent: origin.userAgent,
    ...(by === undefined ? {} : { by: by?.name ?? 'the command line of the server' }),
  };
  await insertMail(tx, {
    mail_id: deps.newId(),
    notice,
    recipient: to.email,
    details: JSON.stringify(details),
    created_at: now,
    due_at: now,
    attempts: 0,
  });
}
