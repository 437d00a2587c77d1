import { accessSync, constants } from 'node:fs';
import { urlOf } from '@passwordbroker/core/domain/url';
import { isLoopbackHost } from '../../platform/networks.ts';

export interface PostgresAddress {
  /** With password: only for the driver. */
  readonly connectionString: string;
  /** Half of them only read. */
  readonly connections: number;
}

const DEFAULT_CONNECTIONS = 20;
const MOST_CONNECTIONS = 1000;
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);

/**
 * Reads `DATABASE_URL` with our parameter `connections`. Returns null unless it names a database and a host
 * or socket folder.
 */
export function readPostgresUrl(text: string): PostgresAddress | null {
  const url = isPostgresUrl(text) ? urlOf(text) : null;
  if (url === null) return null;
  const given = url.searchParams.get('connections');
  const connections = Number(given ?? DEFAULT_CONNECTIONS);
  const isHosted = url.hostname !== '' || url.searchParams.has('host');
  if (!isHosted || url.pathname.length < 2) return null;
  if (!Number.isInteger(connections) || connections < 2 || connections > MOST_CONNECTIONS) return null;
  url.searchParams.delete('connections');
  // Node's trusted authorities.
  if (url.searchParams.get('sslrootcert') === 'system') url.searchParams.delete('sslrootcert');
  url.searchParams.set('uselibpqcompat', 'true');
  return { connectionString: url.href, connections };
}

/** The URL's problem, to follow the variable's name, or null. Never quotes the URL: it has a password. */
export function postgresUrlProblem(text: string): string | null {
  const address = readPostgresUrl(text);
  if (address === null) return 'must be postgres://name:password@host/database.';
  const { searchParams } = new URL(address.connectionString);
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) {
    return 'must have disable, require, verify-ca or verify-full as its sslmode.';
  }
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert')) {
    return 'needs sslrootcert with sslmode=verify-ca: a file with the certificate of the authority.';
  }
  const unreadable = SSL_FILES.find((name) => searchParams.has(name) && !isReadable(searchParams.get(name) ?? ''));
  return unreadable === undefined ? null : `names a file as its ${unreadable} that cannot be read.`;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** The remote host of unencrypted connections; null if encrypted or local. */
export function plaintextHostOf({ connectionString }: PostgresAddress): string | null {
  const { hostname, searchParams } = new URL(connectionString);
  // As in the driver: parameter `host` first, `sslmode` before `ssl`.
  const host = searchParams.get('host') ?? hostname;
  const mode = searchParams.get('sslmode');
  const isEncrypted = mode === null ? ['true', '1'].includes(searchParams.get('ssl') ?? '') : mode !== 'disable';
  return isEncrypted || host.startsWith('/') || isLoopbackHost(host) ? null : host;
}
