/** What the audit log needs while the process lives: the sealer, and the receivers that the configuration names. */
import type { Deps } from '../http/context.ts';
import type { Lease } from '../platform/lease.ts';
import { startPush } from './push-log.ts';
import type { Receiver } from './push-log.ts';
import { startSealer } from './sealer.ts';
import { syslogReceiver } from './syslog.ts';
import { webhookReceiver } from './webhook.ts';

/** `stop` seals what is there and is fulfilled when nothing is at work any more. */
export function startAudit(deps: Pick<Deps, 'db' | 'log' | 'config'>, lease?: Lease): { stop(): Promise<void> } {
  const pushes = receiversOf(deps.config).map((receiver) => startPush(deps, receiver));
  const sealer = startSealer(deps, {
    ...(lease === undefined ? {} : { lease }),
    onHead: (head) => pushes.forEach((push) => push.tell(head)),
    // Only who seals sends, so that everything is sent once.
    afterRound: () => pushes.forEach((push) => push.wake()),
  });
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
