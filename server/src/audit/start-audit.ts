import type { Deps } from '../http/context.ts';
import { LeaseLost, type Lease } from '../platform/leases/lease.ts';
import { makeSigner } from './chain/links-and-checkpoints.ts';
import { startPush, type Receiver } from './push/push-log.ts';
import { findProgress } from './chain/chain-repository.ts';
import { writeCountedRefusals } from './refusals.ts';
import { removeCovered, writeCheckpoint } from './retention.ts';
import { startSealer } from './chain/sealer.ts';
import { syslogReceiver, webhookReceiver } from './push/receivers.ts';

/** `stop` seals the remaining rows and resolves when all work has ended. */
export function startAudit(
  deps: Pick<Deps, 'db' | 'log' | 'config' | 'clock' | 'clockWatch' | 'newId'>,
  lease?: Lease,
): { stop(): Promise<void> } {
  const { db, log } = deps;
  const receivers = receiversOf(deps.config);
  const pushes = receivers.map((receiver) => startPush(deps, receiver));
  const signer = makeSigner();
  // A failure is logged and does not stop sealing.
  const orTell = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      if (error instanceof LeaseLost) throw error;
      log.error({ error }, 'Background job of the audit log failed; it is retried in a minute');
    });
  const sealer = startSealer(deps, {
    ...(lease === undefined ? {} : { lease }),
    signer,
    async beforeHead(held) {
      await orTell(db.transactBeside((tx) => writeCountedRefusals(tx, deps)));
      await orTell(writeDueCheckpoint(held));
    },
    afterSeal: (held) => orTell(removeCovered(deps, held)),
    onHead: (head) => pushes.forEach((push) => push.tell(head)),
    // Only the sealing process sends, so each row is sent once.
    afterRound: () => pushes.forEach((push) => push.wake()),
  });
  async function writeDueCheckpoint(held: Lease): Promise<void> {
    const taken = await Promise.all(receivers.map(({ name }) => findProgress(db, name)));
    const upTo = Math.min(...taken.map((seq) => seq ?? Number.POSITIVE_INFINITY));
    await writeCheckpoint(deps, held, await signer, upTo);
  }
  return {
    async stop() {
      await sealer.stop();
      await Promise.all(pushes.map((push) => push.stop()));
    },
  };
}

function receiversOf({ auditSyslogUrl, auditWebhookUrl, publicUrl }: Deps['config']): Receiver[] {
  return [
    ...(auditSyslogUrl === null ? [] : [syslogReceiver(auditSyslogUrl, publicUrl)]),
    ...(auditWebhookUrl === null ? [] : [webhookReceiver(auditWebhookUrl)]),
  ];
}
