/**
 * Inserts a large vault: rows as sealed writes make them, with bytes of the right shape that cannot be opened. The
 * same seed gives the same texts in every run.
 */
import { foldText } from '../../core/src/domain/search-text.ts';
import type { Role } from '../../core/src/domain/policy.ts';
import { openBulkWriter } from '../../server/src/db/bulk/writer.ts';
import type { InsertRows } from '../../server/src/db/bulk/writer.ts';
import type { Database } from '../../server/src/db/database.ts';
import type { Tables } from '../../server/src/db/schema/tables.ts';
import { NO_MARKS } from '../../server/src/entries/mark-entry.ts';
import { searchRowOf } from '../../server/src/db/text-search/search-index.ts';

const v7 = () => crypto.randomUUID();

const SERVICES =
  'PostgreSQL GitLab Jenkins Grafana Confluence Nextcloud Mailgun Stripe Cloudflare Hetzner Proxmox OPNsense Elasticsearch RabbitMQ Keycloak Kubernetes Bitbucket Datadog Redis MinIO WordPress Shopify Salesforce LinkedIn Twitter Router Firewall Switch Printer VPN'.split(
    ' ',
  );
const PURPOSES = 'primary replica staging backup admin console production test archive gateway db cms'.split(' ');
const SYLLABLES = 'ka mo ra tel fin dor ves lu bran ost mil per gan sol wi tre nor del bas quin'.split(' ');
const NAMES = 'Ada Grace Alan Edsger Barbara Niklaus Käthe Björn Zoë François'.split(' ');

/** Pseudo-random numbers from 0 up to `below`, the same in every run (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export interface LargeVault {
  readonly entries: number;
  readonly groupIds: readonly string[];
  /** The group with the most entries. */
  readonly fullGroup: string;
}

interface Plan {
  readonly groups: number;
  readonly entries: number;
  readonly now: number;
  /** Minimum number of entries of the first group; default 500. */
  readonly fullGroup?: number;
  /** Members of the group with this number. */
  readonly membersOf: (group: number) => readonly { readonly userId: string; readonly role: Role }[];
}

const PORTION = 2000;

/** Fills the database: three fields per entry, a tree of groups. */
export async function seedLargeVault(db: Database, plan: Plan): Promise<LargeVault> {
  const pick = numbersFrom(7);
  const full = plan.fullGroup ?? 500;
  const from = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const customers = Array.from({ length: plan.groups }, () => {
    const word = from(SYLLABLES) + from(SYLLABLES) + from(SYLLABLES);
    return word.charAt(0).toUpperCase() + word.slice(1);
  });
  const groups = groupRows(plan, customers);
  const writer = await openBulkWriter(db.path);
  try {
    await db.exclusive(() =>
      writer.transact(async (_, insert) => {
        await insert('entry_groups', groups);
        await insert('group_members', memberRows(plan, groups));
        for (let at = 0; at < plan.entries; at += PORTION) {
          const count = Math.min(PORTION, plan.entries - at);
          const texts = Array.from({ length: count }, (_unused, index) => {
            const group = at + index < full ? 0 : pick(groups.length);
            const customer = customers[group] ?? '';
            const title = `${from(SERVICES)} ${pick(3) === 0 ? from(customers) : from(PURPOSES)} ${pick(100)}`;
            const login = `${from(NAMES).toLowerCase()}.${customer.toLowerCase()}@example.org`;
            return {
              groupId: groups[group]?.entry_group_id ?? '',
              groupFolded: groups[group]?.name_folded ?? '',
              title,
              login,
              file: `${customer}-${pick(9999)}.pdf`,
            };
          });
          await insertEntries(insert, texts, plan.now - pick(1e9));
        }
      }),
    );
  } finally {
    await writer.close();
  }
  const groupIds = groups.map((group) => group.entry_group_id);
  return { entries: plan.entries, groupIds, fullGroup: groupIds[0] ?? '' };
}

/** The parent of a group has a third of its number, so the tree is four to seven levels deep. */
function groupRows({ groups, now }: Plan, customers: readonly string[]): Tables['entry_groups'][] {
  const rows: Tables['entry_groups'][] = [];
  for (let at = 0; at < groups; at += 1) {
    const id = v7();
    const parent = at < 40 ? undefined : rows[Math.floor(at / 3)];
    const name = `${customers[at] ?? ''} ${at % 5 === 0 ? 'infrastructure' : 'department'} ${at}`;
    rows.push({
      entry_group_id: id,
      parent_entry_group_id: parent?.entry_group_id ?? null,
      materialized_path: parent === undefined ? id : `${parent.materialized_path}.${id}`,
      name,
      name_folded: foldText(name),
      gk_version: 1,
      origin: 'client',
      rotation_due: 0,
      roster_seq: 0,
      created_by: null,
      created_at: now,
      updated_at: now,
      trashed_by: null,
    });
  }
  return rows;
}

function memberRows({ membersOf, now }: Plan, groups: readonly Tables['entry_groups'][]): Tables['group_members'][] {
  return groups.flatMap(({ entry_group_id }, at) =>
    membersOf(at).map(({ userId, role }) => ({
      id: v7(),
      entry_group_id,
      user_id: userId,
      role,
      created_at: now,
      updated_at: now,
    })),
  );
}

interface Texts {
  readonly groupId: string;
  readonly groupFolded: string;
  readonly title: string;
  readonly login: string;
  readonly file: string;
}

async function insertEntries(insert: InsertRows, texts: readonly Texts[], now: number): Promise<void> {
  const entries: Tables['entries'][] = [];
  const fields: Tables['fields'][] = [];
  const search: ReturnType<typeof searchRowOf>[] = [];
  for (const [at, { groupId, groupFolded, title, login, file }] of texts.entries()) {
    const times = { created_at: now + at, updated_at: now + at };
    const own = { entry_id: v7(), entry_group_id: groupId, title, ...NO_MARKS };
    const entry = { ...own, created_by: null, trashed_by: null, ...times };
    const field = (type: Tables['fields']['type'], columns: Partial<Tables['fields']>): Tables['fields'] => ({
      field_id: v7(),
      entry_id: entry.entry_id,
      type,
      title: '',
      login: null,
      totp_hash_algorithm: null,
      totp_timeout: null,
      file_name: null,
      file_mime: null,
      file_size: null,
      rev: 1,
      created_by: null,
      updated_by: null,
      trashed_by: null,
      ...times,
      ...columns,
    });
    const third =
      at % 10 === 0
        ? field('file', { title: 'Contract', file_name: file, file_mime: 'application/pdf', file_size: 10_000 })
        : field('link', { title: 'Website' });
    const ownFields = [field('password', { title: 'Password', login }), field('note', { title: 'Notes' }), third];
    entries.push(entry);
    fields.push(...ownFields);
    search.push(searchRowOf(entry, ownFields, groupFolded));
  }
  await insert('entries', entries);
  await insert('fields', fields);
  await insert('field_revisions', fields.map(revisionOf));
  await insert('entry_search', search);
}

const CONTENT_KEY = Buffer.alloc(116, 'PB1');
const VALUE = Buffer.alloc(212, 'PB1');

function revisionOf(field: Tables['fields']): Tables['field_revisions'] {
  const { field_id, title, login, totp_hash_algorithm, totp_timeout, file_name, file_mime, file_size } = field;
  return {
    field_id,
    rev: 1,
    crypto_profile: 'pb1',
    gk_version: 1,
    cek_wrapped: CONTENT_KEY,
    value: VALUE,
    body_sha256: null,
    body_size: null,
    title,
    login,
    totp_hash_algorithm,
    totp_timeout,
    file_name,
    file_mime,
    file_size,
    site: null,
    author_sig: null,
    created_by: null,
    created_at: field.created_at,
  };
}
