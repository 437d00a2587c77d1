import { isIPv4 } from 'node:net';
import { VERSION } from '@passwordbroker/core/contract/client';
import type { AuditLogRow } from './chain/links-and-checkpoints.ts';

/** Members of the link are null if the row is not sealed. */
export interface LinkedRow extends AuditLogRow {
  readonly seq: number | null;
  readonly hash: Uint8Array | null;
}

/** Everything that the link covers, so that the chain can be recomputed. */
export function asRecord({ created_at, details, seq, hash, ...row }: LinkedRow) {
  return {
    ...row,
    created_at: new Date(created_at).toISOString(),
    details: details === null ? null : (JSON.parse(details) as unknown),
    seq,
    hash: hash === null ? null : Buffer.from(hash).toString('hex'),
  };
}

export const asJsonLine = (row: LinkedRow): string => `${JSON.stringify(asRecord(row))}\n`;

const COLUMNS = [
  'created_at',
  'event_type',
  'login',
  'user_id',
  'target_type',
  'target_id',
  'address',
  'details',
  'audit_id',
  'agent_hash',
  'seq',
  'hash',
] as const;
export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`;

/** Every cell is quoted. An apostrophe keeps a spreadsheet from reading a text as a formula. */
export function asCsvLine(row: LinkedRow): string {
  const record = asRecord(row);
  const cells = COLUMNS.map((column) => {
    const value = record[column] ?? '';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `"${(/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  });
  return `${cells.join(',')}\r\n`;
}

/** From 0 to 10. */
const SEVERITY: Readonly<Record<string, number>> = {
  login_failed: 5,
  mp_refused: 5,
  access_refused: 6,
  user_admin_changed: 6,
  settings_changed: 6,
  backup_failed: 6,
  backup_copy_failed: 6,
  audit_exported: 6,
  backup_downloaded: 7,
  keys_reset: 7,
  recovered: 8,
  mass_reveal: 8,
};
export const severityOf = (event: string): number => SEVERITY[event] ?? 3;

const inHeader = (text: string) => text.replaceAll(/[\\|]/g, String.raw`\$&`).replaceAll(/[\r\n]+/g, ' ');
const inExtension = (text: string) =>
  text
    .replaceAll(/[\\=]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`);

/** Returns one line of Common Event Format version 0, without line end. */
export function asCef(row: LinkedRow): string {
  const { event_type, address, target_type, target_id } = row;
  const header = ['CEF:0', 'PasswordBroker', 'PasswordBroker', VERSION, event_type, event_type.replaceAll('_', ' ')];
  const extension: [string, string | number | null][] = [
    ['rt', row.created_at],
    ['externalId', row.audit_id],
    ['suid', row.user_id],
    ['suser', row.login],
    ...addressOf(address),
    ...labelled('cs1', 'targetType', target_type),
    ...labelled('cs2', 'targetId', target_id),
    ...labelled('cs3', 'details', row.details),
    ...labelled('cs4', 'chainHash', row.hash === null ? null : Buffer.from(row.hash).toString('hex')),
    ...labelled('cn1', 'chainSeq', row.seq),
  ];
  const told = extension.filter(([, value]) => value !== null && value !== '');
  const members = told.map(([name, value]) => `${name}=${inExtension(String(value))}`).join(' ');
  return `${[...header.map(inHeader), severityOf(event_type)].join('|')}|${members}`;
}

function labelled(name: string, label: string, value: string | number | null): [string, string | number | null][] {
  return value === null
    ? []
    : [
        [`${name}Label`, label],
        [name, value],
      ];
}

function addressOf(address: string | null): [string, string | null][] {
  if (address === null || address === '') return [];
  return isIPv4(address)
    ? [['src', address]]
    : [
        ['c6a2Label', 'Source IPv6 Address'],
        ['c6a2', address],
      ];
}
