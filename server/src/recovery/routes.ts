import * as backups from '@passwordbroker/core/contract/site/backups';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { demandSetupToken } from '../users/setup-token.ts';
import { hasUsers } from '../users/user-repository.ts';
import { countUpload, mayRecover, recoverFromUpload } from './recover.ts';

export const routes: readonly Route[] = [
  on(backups.recoverable, async ({ deps }) => ({ available: !(await hasUsers(deps.db)) }), { duringRecovery: true }),
  on(
    backups.recover,
    async (context) => {
      await recoverFromUpload(context, context.body.password);
      return { status: 'done' as const };
    },
    {
      permit: mayRecover,
      demand: demandSetupToken,
      spoolsFiles: { admit: demandSetupToken, count: countUpload },
      duringRecovery: true,
    },
  ),
];
