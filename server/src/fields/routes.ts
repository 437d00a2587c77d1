import * as fields from '@passwordbroker/core/contract/entries/fields';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { RequestContext } from '../http/context.ts';
import { on, type Route } from '../http/route.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import {
  changeFieldWithMasterPassword,
  plainChangeTexts,
  removeFieldWithMasterPassword,
  sealNewField,
} from '../server-crypto/fields/field-change.ts';
import { plainFieldTexts } from '../server-crypto/fields/plain-field.ts';
import { createField } from './create-field.ts';
import { asField, asFieldHistory, byKindAndTitle, HISTORY_ROWS, historyPage } from './field-answers.ts';
import { findShownField, listFields, listHistory } from './field-repository.ts';
import { releaseEnvelope, releaseSeveral, streamBody, type Release } from './reveal.ts';
import { refuseOverQuota } from './storage.ts';
import { removeField, updateField } from './update-field.ts';
import { findRevOfHistoryRow } from './reveal-repository.ts';

/** @throws AppError `not_found` if the row has none */
async function revOf({ deps, field }: Pick<Release, 'deps' | 'field'>, logId: string): Promise<number> {
  const rev = await findRevOfHistoryRow(deps.db, field.field_id, logId);
  if (rev === null) throw new AppError('not_found');
  return rev;
}

const admitsBody = async ({ deps, actor }: RequestContext, announced: number): Promise<void> => {
  if (actor !== null) await refuseOverQuota(deps.db, actor.userId, announced);
};

export const routes: readonly Route[] = [
  on(fields.listAll, async ({ deps, entry }) => {
    const rows = await listFields(deps.db, [entry.entry_id]);
    return rows.map(asField).sort(byKindAndTitle);
  }),

  on(fields.get, async ({ deps, field }) => {
    const shown = await findShownField(deps.db, field.field_id);
    if (shown === undefined) throw new AppError('not_found');
    return asField(shown);
  }),

  on(fields.create, { sealed: createField, plain: sealNewField }, { plainTexts: plainFieldTexts, admitsBody }),

  on(
    fields.update,
    { sealed: updateField, plain: changeFieldWithMasterPassword },
    { plainTexts: plainChangeTexts, admitsBody },
  ),

  on(fields.remove, { sealed: removeField, plain: removeFieldWithMasterPassword }),

  on(fields.envelope, (context) => releaseEnvelope(context, context.field.rev, context.query.purpose)),

  on(fields.release, (context) => releaseSeveral(context, context.body)),

  on(fields.file, async (context) => {
    const { deps, query, field } = context;
    // The site may forbid files in offline copies.
    const isForCopy = query.user_application_id !== undefined;
    if (isForCopy && !(await readSiteSettings(deps)).offline_files) throw new AppError('forbidden');
    return streamBody(context, query.rev ?? field.rev);
  }),

  on(fields.history, async (context) => {
    const { deps, field, query } = context;
    const { limit = HISTORY_ROWS, before } = query;
    const rows = await listHistory(deps.db, field.field_id, limit + 1, before);
    return historyPage(context, rows, limit).map(asFieldHistory);
  }),

  on(fields.historyEnvelope, async (context) => releaseEnvelope(context, await revOf(context, context.params.logId))),

  on(fields.historyFile, async (context) => streamBody(context, await revOf(context, context.params.logId))),
];
