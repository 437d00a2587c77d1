import * as audit from '@passwordbroker/core/contract/site/audit';
import { media } from '../http/answer/answer.ts';
import { on, type Route } from '../http/route.ts';
import { auditPage, exportLog } from './read-log.ts';
import { logSize } from './audit-log-repository.ts';
import { verifyChain } from './chain/verify-chain.ts';

export const routes: readonly Route[] = [
  on(audit.adminLog, ({ deps, query }) => auditPage(deps, query)),

  on(audit.list, ({ deps, query }) => auditPage(deps, query)),

  on(audit.exported, async ({ deps, actor, origin, query }) => {
    const name = `audit-log.${query.format === 'cef' ? 'cef' : 'ndjson'}`;
    return media(await exportLog(deps, { actor, origin, query }), {
      'content-disposition': `attachment; filename="${name}"`,
    });
  }),

  on(audit.verify, async ({ deps }) => {
    const { findings, checkpoint, removedHeads: _, ...report } = await verifyChain(deps);
    return {
      ...report,
      first_bad: findings[0]?.auditId ?? null,
      checkpoint: checkpoint === null ? null : { ...checkpoint, at: new Date(checkpoint.at).toISOString() },
    };
  }),

  on(audit.size, ({ deps }) => logSize(deps)),
];
