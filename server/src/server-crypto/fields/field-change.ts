/** Absent members stay unchanged (docs/spec/api.md §3.9). */
import { FIELD_TEXTS, type remove, type update, type create } from '@passwordbroker/core/contract/entries/fields';
import type { BodyOf, PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Field, Operation } from '@passwordbroker/core/contract/entities';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { openField, sealField } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { changedSiteRules } from '@passwordbroker/core/domain/sites/changed-site-rules';
import { parseTotpSecret } from '@passwordbroker/core/domain/fields/totp';
import { removeField, updateField } from '../../fields/update-field.ts';
import type { Context, Deps } from '../../http/context.ts';
import type { UploadedFile } from '../../http/body/body.ts';
import { findOnFieldPath, type GroupInPath } from '../../http/auth/path-repository.ts';
import type { FieldTexts } from '../../http/validation.ts';
import { isMasterPasswordGiven, withCallerKeyring } from '../caller-keyring.ts';
import {
  type PreparedField,
  columnsOfContent,
  prepareField,
  textAboutName,
  textAboutValue,
  type PlainField,
} from './plain-field.ts';
import { openAccepted } from '../trust/judged-group.ts';
import { sealedForm, type SealedForm } from '../../http/answer/answer.ts';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { findRevision } from '../../fields/reveal-repository.ts';
import { openKeyOfVersion } from '../group-key.ts';

type Plain = PlainBodyOf<typeof update>;
type Changing = Context<typeof update, Plain>;
type Received = { readonly members: Readonly<Record<string, unknown>>; readonly files: readonly UploadedFile[] };

/** Problems beyond the schema of the plain form. */
export function plainChangeTexts({ members, files }: Received): FieldTexts {
  const texts: FieldTexts = {};
  const { value, master_password } = members;
  const file = files.find(({ part }) => part === 'file');
  const aboutFile = file === undefined ? null : textAboutName(file.filename);
  if (aboutFile !== null) texts['file'] = [aboutFile];
  const aboutValue = value === undefined || value === null ? null : textAboutValue(undefined, value);
  if (aboutValue !== null) texts['value'] = [aboutValue];
  if (!isMasterPasswordGiven(master_password)) texts['master_password'] = [FIELD_TEXTS.masterPasswordMissing];
  return texts;
}

const TRIES = 50;

/** Retries after concurrent changes unless `base_rev` is given. @throws AppError as `updateField` */
export async function changeFieldWithMasterPassword(context: Changing): Promise<Field> {
  const { body, group, entry } = context;
  refuseForType(context);
  return withCallerKeyring(context, body.master_password, async (opened) => {
    const { keyring, deps } = opened;
    const { groupKey } = await openAccepted(opened, group.entry_group_id);
    let { field } = context;
    for (let tries = 1; ; tries += 1) {
      const sealed = await sealChange({ ...context, field }, { keyring, groupKey });
      try {
        return await updateField({ ...context, deps, field, ...sealed });
      } catch (error) {
        const isBehind = error instanceof AppError && error.code === 'revision_conflict';
        if (!isBehind || body.base_rev !== undefined || tries === TRIES) throw error;
      }
      const path = { groupId: group.entry_group_id, entryId: entry.entry_id, fieldId: field.field_id };
      const present = await findOnFieldPath(deps.db, path, context.actor.userId);
      if (present === undefined || present.field === null) throw new AppError('not_found');
      field = present.field;
    }
  });
}

interface Keys {
  readonly keyring: Keyring;
  readonly groupKey: GroupKey;
}

async function sealChange(
  context: Changing,
  keys: Keys,
): Promise<{ readonly body: BodyOf<typeof update>; readonly files: readonly UploadedFile[] }> {
  const { body, group, entry, field } = context;
  const base_rev = body.base_rev ?? field.rev;
  const prepared = await prepareChange(context, keys);
  const { field_id: fieldId, type } = field;
  const place = { entryGroupId: group.entry_group_id, entryId: entry.entry_id, fieldId, type, rev: base_rev + 1 };
  const sealed = await sealField(keys.groupKey, place, prepared.content);
  const keepsFile = type === 'file' && prepared.body === null;
  return {
    body: {
      type,
      title: prepared.content.title,
      ...prepared.columns,
      ...sealed,
      base_rev,
      ...(keepsFile ? { keep_file: true } : {}),
      ...(body.value === undefined ? {} : { value_changed: true }),
    },
    files: prepared.body === null ? [] : [prepared.body],
  };
}

function refuseForType({ body, field }: Changing): void {
  if (body.type !== undefined && body.type !== field.type) throw refuse('type', TEXTS.unexpected('type'));
  const isBadTotp = field.type === 'TOTP' && body.value !== undefined && parseTotpSecret(body.value) === null;
  if (isBadTotp) throw refuse('value', FIELD_TEXTS.totpBad);
}

async function prepareChange(context: Changing, keys: Keys): Promise<PreparedField> {
  const { body, field, files } = context;
  const title = body.title ?? field.title;
  const bringsValue = field.type === 'file' ? files.some(({ part }) => part === 'file') : body.value !== undefined;
  if (bringsValue) {
    const { type } = field;
    // Sent parameters take precedence over an `otpauth:` URL.
    const parsed = type === 'TOTP' ? parseTotpSecret(body.value ?? '') : null;
    const plain = {
      ...body,
      type,
      title,
      login: body.login ?? field.login ?? '',
      totp_hash_algorithm: body.totp_hash_algorithm ?? parsed?.algorithm ?? field.totp_hash_algorithm ?? undefined,
      totp_timeout: body.totp_timeout ?? parsed?.period ?? field.totp_timeout ?? undefined,
      field_id: field.field_id,
    };
    const prepared = await prepareField(field.field_id, plain, files);
    return type === 'link' ? withSites(prepared, await openPresent(context, keys), body.value ?? '') : prepared;
  }
  const content = changed(await openPresent(context, keys), body, title);
  return { content, columns: columnsOfContent(content), body: null };
}

/** A link that gets another value is offered as before, under its new address. */
function withSites(prepared: PreparedField, present: FieldContent, value: string): PreparedField {
  if (prepared.content.type !== 'link' || present.type !== 'link') return prepared;
  const former = { value: new TextDecoder().decode(present.value), rules: present.sites };
  return { ...prepared, content: { ...prepared.content, sites: changedSiteRules(former, value) } };
}

async function openPresent({ deps, group, entry, field }: Changing, keys: Keys): Promise<FieldContent> {
  const { field_id: fieldId, type, rev } = field;
  const { revision, groupKey } = await openKeyOfRevision(deps, keys.keyring, group, {
    fieldId,
    rev,
    opened: keys.groupKey,
  });
  const place = { entryGroupId: group.entry_group_id, entryId: entry.entry_id, fieldId, type, rev };
  return openField(groupKey, place, {
    rev,
    gk_version: revision.gk_version,
    cek_wrapped_base64: revision.cek_wrapped.toString('base64'),
    encrypted_value_base64: revision.value.toString('base64'),
    site_sealed_base64: revision.site?.toString('base64'),
  });
}

function changed(content: FieldContent, body: Plain, title: string): FieldContent {
  if (content.type === 'password') return { ...content, title, login: body.login ?? content.login };
  if (content.type !== 'TOTP') return { ...content, title };
  const algorithm = body.totp_hash_algorithm ?? content.totp.algorithm;
  return { ...content, title, totp: { ...content.totp, algorithm, period: body.totp_timeout ?? content.totp.period } };
}

/** Opens nothing, but the specification requires the master password. */
export async function removeFieldWithMasterPassword(
  context: Context<typeof remove, PlainBodyOf<typeof remove>>,
): Promise<Operation> {
  return withCallerKeyring(context, context.body.master_password, ({ deps }) => removeField({ ...context, deps }));
}

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

/** A rotation may wrap the revision anew between two reads. */
const READS = 3;

/**
 * Reads a revision and opens its key, during a rotation possibly a former one.
 * @param opened the group's current key, if known
 * @throws AppError `not_found`; CryptoError without a key for it
 */
export async function openKeyOfRevision(
  deps: Pick<Deps, 'db'>,
  keyring: Keyring,
  group: Pick<GroupInPath, 'entry_group_id'>,
  { fieldId, rev, opened }: { readonly fieldId: string; readonly rev: number; readonly opened?: GroupKey },
) {
  for (let reads = 1; reads <= READS; reads += 1) {
    const revision = await findRevision(deps.db, fieldId, rev);
    if (revision === undefined) throw new AppError('not_found');
    if (revision.gk_version === opened?.version) return { revision, groupKey: opened };
    const groupKey = await openKeyOfVersion(deps, keyring, group, revision.gk_version);
    if (groupKey !== null) return { revision, groupKey };
  }
  throw new CryptoError('grant');
}
