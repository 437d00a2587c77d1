/** Key proofs of signed lists (ADR 22), and minimum values. */
import type { Migration } from '../migrate.ts';

export const LEAST: readonly (readonly [table: string, column: string, least: number])[] = [
  ['entry_groups', 'gk_version', 1],
  ['group_keys', 'gk_version', 1],
  ['group_grants', 'gk_version', 1],
  ['group_rosters', 'seq', 0],
  ['field_revisions', 'gk_version', 1],
  ['field_revisions', 'rev', 1],
  ['user_documents', 'n', 1],
  ['user_keysets', 'version', 1],
  ['user_certificates', 'keyset_version', 1],
];

/** Refuses a list stored without its proof, as release 1.0 would. */
const MARK = Buffer.from('"proof":1').toString('hex');
const UNPROVED_SQLITE = `new.proof is null and instr(new.bytes, x'${MARK}') > 0`;
const PROVED_POSTGRES = `proof is not null or position('\\x${MARK}'::bytea in bytes) = 0`;

/** SQLite cannot add constraints; existing rows stay. */
const guards = (name: string, table: string, column: string | null, isWrong: string) =>
  ['insert on', `update ${column === null ? '' : `of ${column} `}on`].map(
    (event, at) => `create trigger ${name}_${at === 0 ? 'insert' : 'update'} before ${event} ${table}
    when ${isWrong} begin select raise(abort, 'check: ${name}'); end`,
  );

export const trust: Migration = {
  name: '0030-trust',
  both: ['alter table group_rosters add column proof BYTES', 'alter table group_rosters add column proof_prev BYTES'],
  sqlite: [
    ...LEAST.flatMap(([table, column, least]) =>
      guards(`${table}_${column}_least`, table, column, `new.${column} < ${least}`),
    ),
    ...guards('group_rosters_proved', 'group_rosters', null, UNPROVED_SQLITE),
  ],
  postgres: [
    ...LEAST.map(
      ([table, column, least]) =>
        `alter table ${table} add constraint ${table}_${column}_least check (${column} >= ${least}) not valid`,
    ),
    `alter table group_rosters add constraint group_rosters_proved check (${PROVED_POSTGRES}) not valid`,
  ],
};
