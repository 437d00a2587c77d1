/** Refusal counters; audit rows that a checkpoint covers may be deleted (ADR 18). */
import type { Migration } from '../migrate.ts';

/** Last chain link that the newest sealed checkpoint covers; null without one. */
const covered = (json: (column: string) => string) => `select ${json('pruned.details')} from audit_log as pruned
      join audit_chain as checkpoint on checkpoint.audit_id = pruned.audit_id
      where pruned.event_type = 'audit_pruned' order by checkpoint.seq desc limit 1`;

const COVERED_SQLITE = covered((column) => `json_extract(${column}, '$.seq')`);
const COVERED_POSTGRES = covered((column) => `(${column}::json ->> 'seq')::bigint`);
const SEQ_OF_ROW = '(select seq from audit_chain where audit_id = old.audit_id)';

export const auditRetention: Migration = {
  name: '0023-audit-retention',
  both: [
    `create table refusal_counts (
      user_id text not null,
      route text not null,
      method text not null,
      code text not null,
      login text not null,
      address text not null,
      agent_hash text,
      first_at INT not null,
      last_at INT not null,
      repeats INT not null,
      primary key (user_id, route, method, code)
    )`,
  ],
  sqlite: [
    'drop trigger audit_log_refuses_delete',
    `create trigger audit_log_refuses_delete before delete on audit_log
    when coalesce(${SEQ_OF_ROW} > (${COVERED_SQLITE}), true)
    begin select raise(abort, 'the audit log is append-only'); end`,
    'drop trigger audit_chain_stands_delete',
    `create trigger audit_chain_stands_delete before delete on audit_chain
    when coalesce(old.seq > (${COVERED_SQLITE}), true)
    begin select raise(abort, 'the audit log is append-only'); end`,
  ],
  postgres: [
    `create function refuse_audit_deletion() returns trigger language plpgsql as $$
    declare
      last_seq bigint;
    begin
      if tg_table_name = 'audit_chain' then last_seq := old.seq;
      else last_seq := ${SEQ_OF_ROW};
      end if;
      if coalesce(last_seq > (${COVERED_POSTGRES}), true) then
        raise exception 'the audit log is append-only';
      end if;
      return old;
    end $$`,
    ...['audit_log', 'audit_chain'].flatMap((table) => [
      `drop trigger ${table}_refuses_change on ${table}`,
      `create trigger ${table}_refuses_change before update on ${table}
      for each row execute function refuse_audit_change()`,
      `create trigger ${table}_refuses_deletion before delete on ${table}
      for each row execute function refuse_audit_deletion()`,
    ]),
  ],
};
