/** Who is served while a recovery runs: nobody, in no process (docs/spec/threats.md §3.1.35). */
import type { Database } from '../db/database.ts';
import type { RecoveryGate } from '../http/context.ts';
import { Lease } from '../platform/leases/lease.ts';
import { hasUsers } from '../users/user-repository.ts';

/**
 * Only an installation without anybody is recovered: whoever has seen that there is somebody asks no more. The embedded database has no other processes.
 */
export function openGate(db: Database): RecoveryGate {
  const lease = new Lease(db, 'recovery');
  let isPeopled = db.dialect === 'sqlite';
  return {
    isRunning: false,
    async isElsewhere() {
      if (isPeopled) return false;
      isPeopled = await hasUsers(db);
      return !isPeopled && (await lease.isTaken());
    },
  };
}
