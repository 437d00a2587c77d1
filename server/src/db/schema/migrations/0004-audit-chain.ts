/** Audit hash chain, leases, receivers (docs/spec/decisions.md H2, docs/spec/threats.md §3.1.21, §5.2.4). */
import type { Migration } from '../migrate.ts';

const OLD_INDEXES = ['audit_log_of_user', 'audit_log_of_target', 'audit_log_by_event'];

/** Refuses any change of a row, also by `insert or replace`, which fires no delete trigger. */
const appendOnly = (table: string, isThere: string) => [
  ...['update', 'delete'].map(
    (verb) => `create trigger ${table}_stands_${verb} before ${verb} on ${table}
    begin select raise(abort, 'the audit log is append-only'); end`,
  ),
  `create trigger ${table}_stands_replace before insert on ${table}
    when exists (select 1 from ${table} where ${isThere})
    begin select raise(abort, 'the audit log is append-only'); end`,
];

export const auditChain: Migration = {
  name: '0004-audit-chain',
  both: [
    // No reference to the log: a link outlives its row, to reveal that the row is missing.
    `create table audit_chain (
      seq INT primary key,
      audit_id text not null unique,
      prev BYTES not null,
      hash BYTES not null
    )`,
    'create table audit_unsealed (audit_id text primary key)',
    'insert into audit_unsealed (audit_id) select audit_id from audit_log',
    `create table audit_pushes (
      receiver text primary key,
      seq INT not null
    )`,
    `create table leases (
      name text primary key,
      owner text,
      heartbeat INT not null,
      due_at INT not null
    )`,
    ...OLD_INDEXES.map((name) => `drop index ${name}`),
    // Each filter has an index in page order; the first also covers text search.
    'create index audit_log_by_time on audit_log (created_at, audit_id, event_type, login)',
    'create index audit_log_of_user on audit_log (user_id, created_at, audit_id, event_type)',
    'create index audit_log_of_target on audit_log (target_id, created_at, audit_id, event_type)',
    'create index audit_log_by_event on audit_log (event_type, created_at, audit_id)',
  ],
  sqlite: [
    `create trigger audit_log_awaits_its_seal after insert on audit_log
    begin insert into audit_unsealed (audit_id) values (new.audit_id); end`,
    ...appendOnly('audit_log', 'audit_id = new.audit_id').slice(-1),
    ...appendOnly('audit_chain', 'seq = new.seq or audit_id = new.audit_id'),
  ],
  postgres: [
    `create function await_audit_seal() returns trigger language plpgsql as
    $$ begin insert into audit_unsealed (audit_id) values (new.audit_id); return null; end $$`,
    `create trigger audit_log_awaits_its_seal after insert on audit_log
    for each row execute function await_audit_seal()`,
    `create trigger audit_log_refuses_truncation before truncate on audit_log
    for each statement execute function refuse_audit_change()`,
    `create trigger audit_chain_refuses_change before update or delete on audit_chain
    for each row execute function refuse_audit_change()`,
    `create trigger audit_chain_refuses_truncation before truncate on audit_chain
    for each statement execute function refuse_audit_change()`,
  ],
};
