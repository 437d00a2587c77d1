import * as exports from '@passwordbroker/core/contract/entries/exports';
import { answer } from '../http/answer/answer.ts';
import { on, type Route } from '../http/route.ts';
import { finishExport, outlineExport, releaseValues } from './exports.ts';
import { startExport } from './start-export.ts';

export const routes: readonly Route[] = [
  on(exports.start, async (context) => answer(201, await startExport(context, context.body))),

  on(exports.outline, (context) => outlineExport(context, context.params.exportId, context.query.after ?? 0)),

  on(exports.release, (context) => releaseValues(context, context.params.exportId, context.body)),

  on(exports.finish, (context) => finishExport(context, context.params.exportId, context.body.state)),
];
