/** Seals a new field with a master password; it is then stored like one from any other client. */
import type { create } from '@passwordbroker/core/contract/entries/fields';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { sealField } from '@passwordbroker/core/domain/fields/field';
import { sealedForm } from '../../http/answer/answer.ts';
import type { SealedForm } from '../../http/answer/answer.ts';
import type { Context } from '../../http/context.ts';
import { withCallerKeyring } from '../caller-keyring.ts';
import { openAccepted } from '../trust/judged-group.ts';
import { prepareField } from './plain-field.ts';
import type { PlainField } from './plain-field.ts';

type Sealed = BodyOf<typeof create>;

export async function sealNewField(context: Context<typeof create, PlainField>): Promise<SealedForm<Sealed>> {
  const { body: plain, group, entry, files } = context;
  return withCallerKeyring(context, plain.master_password, async (opened) => {
    const { deps } = opened;
    const fieldId = plain.field_id ?? deps.newId();
    const { groupKey } = await openAccepted(opened, group.entry_group_id);
    const { content, columns, body } = await prepareField(fieldId, plain, files);
    const { type } = content;
    const place = { entryGroupId: group.entry_group_id, entryId: entry.entry_id, fieldId, type, rev: 1 };
    const sealed = await sealField(groupKey, place, content);
    return sealedForm(
      { field_id: fieldId, type, title: content.title, ...columns, ...sealed },
      { deps, files: body === null ? [] : [body] },
    );
  });
}
