/** `DATABASE_URL=postgres://…`: where a PostgreSQL server is, and how many connections one process may have to it. */

export interface PostgresAddress {
  /** Holds a password: it goes to the driver and nowhere else. */
  readonly connectionString: string;
  /** Connections of this process, half of them for acts, half for what only reads. */
  readonly connections: number;
}

const DEFAULT_CONNECTIONS = 20;
const MOST_CONNECTIONS = 1000;

const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);

/**
 * Reads the URL; `connections=40` among its parameters is ours, the others are the driver's (`sslmode`, `sslrootcert` …). Null when it is none: a host or
 * a folder of a socket, and a database's name, are needed.
 */
export function readPostgresUrl(text: string): PostgresAddress | null {
  if (!isPostgresUrl(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const given = url.searchParams.get('connections');
  const connections = Number(given ?? DEFAULT_CONNECTIONS);
  const isHosted = url.hostname !== '' || url.searchParams.has('host');
  if (!isHosted || url.pathname.length < 2) return null;
  if (!Number.isInteger(connections) || connections < 2 || connections > MOST_CONNECTIONS) return null;
  url.searchParams.delete('connections');
  return { connectionString: url.href, connections };
}
