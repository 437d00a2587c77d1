/** Records each use on the server (docs/spec/api.md §1.5, docs/spec/crypto.md §17). */
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import type { CallerTrust } from './trust/caller-trust.ts';
import { markExposed } from './group-key.ts';

export interface Use {
  readonly actor: Pick<Actor, 'userId' | 'name' | 'email'>;
  readonly origin: Origin;
}

/** Call it in the operation's transaction, to commit with the change. */
export async function recordUse(
  tx: Transact,
  deps: Pick<Deps, 'clock' | 'newId' | 'noticesFrom'>,
  use: Use,
): Promise<void> {
  const isFirst = await markExposed(tx, use.actor.userId, deps.clock.now());
  if (isFirst) await giveNotice(tx, deps, 'master password used', { to: use.actor, origin: use.origin });
  await recordEvent(tx, deps, { event_type: 'mp_used_on_server', ...use });
}

/**
 * The first transaction of these dependencies also records the use; each also writes the trust record's
 * changes.
 */
export function recordingUse(deps: Deps, use: Use, trust?: CallerTrust): Deps {
  let isRecorded = false;
  const transact: Deps['db']['transact'] = async (work) => {
    const sealed = (await trust?.sealed()) ?? null;
    const { value, stored } = await deps.db.transact(async (tx) => {
      const value = await work(tx);
      if (!isRecorded) await recordUse(tx, deps, use);
      return { value, stored: sealed === null ? null : ((await trust?.write(tx, sealed)) ?? null) };
    });
    isRecorded = true;
    if (stored !== null) trust?.written(stored);
    return value;
  };
  // Not grouped: the mail about the first use is sent once.
  return { ...deps, db: { ...deps.db, transact, transactBeside: transact } };
}
