/** Acts that can be taken back (`api.md` §3.10). */
import { undo } from '@passwordbroker/core/contract/operations';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { undoOperation } from './undo.ts';

export const routes: readonly Route[] = [
  on(undo, ({ deps, actor, origin, params }) => undoOperation(deps, { actor, origin }, params.operationId)),
];
