import type { Envelope, Field, FieldHistory, UserBrief } from '@passwordbroker/core/contract/entities';
import { FIELD_TYPES } from '@passwordbroker/core/domain/fields/field-kinds';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import type { HistoryRow, ShownField } from './field-repository.ts';
import type { Revision } from './reveal-repository.ts';
import type { RequestContext } from '../http/context.ts';

const time = (ms: number) => new Date(ms).toISOString();

/** null for a deleted account. */
const brief = (userId: string | null, name: string | null): UserBrief | null =>
  userId === null || name === null ? null : { user_id: userId, name };

/** As `brief`, for a user who may be a service account. */
export const briefOf = (userId: string | null, name: string | null, kind: 'person' | 'service' | null) => {
  const known = brief(userId, name);
  return known === null || kind !== 'service' ? known : { ...known, kind };
};

export function asField(row: ShownField): Field {
  const created_at = time(row.created_at);
  const common = {
    field_id: row.field_id,
    entry_id: row.entry_id,
    title: row.title,
    rev: row.rev,
    gk_version: row.gk_version,
    crypto_profile: 'pb1' as const,
    created_by: brief(row.created_by, row.creator_name),
    updated_by: brief(row.updated_by, row.updater_name),
    created_at,
    updated_at: row.updated_at === row.created_at ? created_at : time(row.updated_at),
  };
  // Spreading would give each object its own hidden class, which slows long lists.
  const { type } = row;
  switch (type) {
    case 'password':
      return Object.assign(common, { type, login: row.login ?? '' });
    case 'TOTP':
      return Object.assign(common, {
        type,
        totp_hash_algorithm: row.totp_hash_algorithm ?? 'sha1',
        totp_timeout: row.totp_timeout ?? 30,
      });
    case 'file':
      return Object.assign(common, {
        type,
        file_name: row.file_name ?? '',
        file_mime: row.file_mime ?? '',
        file_size: row.file_size ?? 0,
      });
    case 'link':
    case 'note':
      return Object.assign(common, { type });
  }
}

const RANK = new Map(FIELD_TYPES.map((type, at) => [type, at]));
export function byKindAndTitle(a: Field, b: Field): number {
  const rank = (RANK.get(a.type) ?? 0) - (RANK.get(b.type) ?? 0);
  return rank || compareTitles({ title: a.title, id: a.field_id }, { title: b.title, id: b.field_id });
}

export function asFieldHistory(row: HistoryRow): FieldHistory {
  return {
    field_edit_log_id: row.field_edit_log_id,
    field_id: row.field_id,
    event_type: row.event_type,
    rev: row.rev,
    has_value: row.event_type === 'created' || row.event_type === 'updated',
    title: row.title ?? '',
    login: row.login,
    user: briefOf(row.user_id, row.user_name, row.user_kind),
    ...(row.purpose === null ? {} : { purpose: row.purpose }),
    ...(row.label === null ? {} : { label: row.label }),
    ...(row.via === null ? {} : { via: row.via }),
    created_at: time(row.created_at),
  };
}

/** Sealed bytes of values in one answer. */
export const RELEASED_BYTES = 8 * 1024 * 1024;

interface FieldLocation {
  readonly groupId: string;
  readonly entryId: string;
  readonly fieldId: string;
  readonly type: Field['type'];
}

export function asEnvelope(
  { groupId, entryId, fieldId, type }: FieldLocation,
  revision: Pick<Revision, 'rev' | 'gk_version' | 'cek_wrapped' | 'value' | 'body_size' | 'site'>,
): Envelope {
  return {
    field_id: fieldId,
    entry_id: entryId,
    entry_group_id: groupId,
    type,
    rev: revision.rev,
    crypto_profile: 'pb1',
    gk_version: revision.gk_version,
    cek_wrapped_base64: revision.cek_wrapped.toString('base64'),
    encrypted_value_base64: revision.value.toString('base64'),
    initialization_vector_base64: revision.value.subarray(4, 36).toString('base64'),
    file: revision.body_size === null ? null : { body_size: revision.body_size },
    ...(revision.site === null ? {} : { site_sealed_base64: revision.site.toString('base64') }),
  };
}

export const HISTORY_ROWS = 200;

/**
 * Sets the header `Link` (RFC 8288), which keeps the filters of the request, and returns the page.
 * @param rows newest first, one more than `limit` if there are older ones
 */
export function historyPage<Row extends { readonly field_edit_log_id: string }>(
  { head, url }: Pick<RequestContext, 'head' | 'url'>,
  rows: readonly Row[],
  limit: number,
): readonly Row[] {
  const [path = '', asked] = url.split('?');
  const query = new URLSearchParams(asked);
  query.delete('before');
  query.set('limit', String(limit));
  const link = (rel: string, before = '') => `<${path}?${query.toString()}${before}>; rel="${rel}"`;
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? [link('next', `&before=${page.at(-1)?.field_edit_log_id ?? ''}`)] : [];
  head.setHeader('link', [link('first'), ...next].join(', '));
  return page;
}
