import type { Database } from '../db/database.ts';
import type { RecoveryGate } from '../http/context.ts';
import { Lease } from '../platform/leases/lease.ts';
import { hasUsers } from '../users/user-repository.ts';

/**
 * Blocks requests in every process during a recovery (docs/spec/threats.md §3.1.35). Only an empty site is
 * recovered, so the check ends once there are users.
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
