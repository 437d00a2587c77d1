/**
 * Configuration from the environment (docs/spec/decisions.md R3). `X_FILE` names a file with the value of
 * `X`.
 */
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isEmail } from '@passwordbroker/core/domain/sign-up-rules';
import { urlOf } from '@passwordbroker/core/domain/url';
import { type CopyTarget, readCopyTarget } from '../backups/copies/copy-target.ts';
import { postgresUrlProblem } from '../db/postgres/address.ts';
import { readProviders, type ProviderConfig } from '../identity/sso/provider/provider-config.ts';
import { isLoopbackHost } from '../platform/networks.ts';

export type { Providers } from '../identity/sso/provider/provider-connection.ts';

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Origin without a trailing slash. */
  readonly publicUrl: string;
  /** The host that passkeys belong to. Null: passkeys are off, because there is no host name or no HTTPS. */
  readonly rpId: string | null;
  readonly dataDir: string;
  /** With its password; null for SQLite. */
  readonly databaseUrl: string | null;
  /** A backup of PostgreSQL exists, so it may be upgraded. */
  readonly confirmUpgrade: boolean;
  readonly smtpUrl: string | null;
  /** Default: `passwordbroker@` the host of `publicUrl`. */
  readonly mailFrom: string | null;
  /** Their `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  /** `TRUST_PROXY=none`: client addresses are unknown. */
  readonly hasUnnamedProxy: boolean;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly logLevel: LogLevel;
  /** Initial site setting. */
  readonly serverCrypto: 'allowed' | 'off';
  readonly backupDir: string;
  readonly backupCopy: CopyTarget | null;
  readonly setupToken: string | null;
  readonly corsOrigins: readonly string[];
  readonly connectOrigins: readonly string[];
  /** `udp://` or `tcp://`. */
  readonly auditSyslogUrl: string | null;
  readonly auditWebhookUrl: string | null;
  /** Identity providers, in the order of their buttons. */
  readonly providers: readonly ProviderConfig[];
  /** Account passwords sign in, whatever the site setting says: `LOCAL_SIGN_IN=allowed`, or there is no provider. */
  readonly allowsLocalSignIn: boolean;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One sentence each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the configuration. @throws ConfigError with all problems */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const read = (name: string) => readVariable(environment, name, problems);
  const oneOf = <T extends string>(name: string, choices: readonly T[], fallback: T): T => {
    const text = read(name);
    if (text === null) return fallback;
    const found = choices.find((choice) => choice === text);
    if (found === undefined) problems.push(`${name} must be one of: ${choices.join(', ')}.`);
    return found ?? fallback;
  };

  const count = (name: string, fallback: number): number => {
    const text = read(name);
    const value = text === null ? fallback : /^\d{1,6}$/.test(text) ? Number(text) : 0;
    if (value === 0) problems.push(`${name} must be a whole number from 1 to 999999.`);
    return value;
  };

  const port = portFrom(read('PORT'), problems);
  const dataDir = resolve(read('DATA_DIR') ?? 'data');
  const publicUrl = originFrom('PUBLIC_URL', read('PUBLIC_URL') ?? `http://localhost:${port}`, problems);
  const backupDir = resolve(read('BACKUP_DIR') ?? `${dataDir}/backups`);
  const trustProxy = read('TRUST_PROXY');
  const providers = readProviders(read, problems);
  const config: Config = {
    port,
    host: hostFrom(read('HOST')),
    publicUrl,
    rpId: rpIdFrom(read('WEBAUTHN_RP_ID'), publicUrl, problems),
    dataDir,
    databaseUrl: databaseFrom(read('DATABASE_URL'), problems),
    confirmUpgrade: oneOf('CONFIRM_UPGRADE', ['yes', 'no'], 'no') === 'yes',
    smtpUrl: smtpFrom(read('SMTP_URL'), problems),
    mailFrom: senderFrom(read('MAIL_FROM'), problems),
    trustProxy: proxiesFrom(trustProxy, publicUrl, problems),
    hasUnnamedProxy: trustProxy === NO_PROXY,
    maxConnections: count('MAX_CONNECTIONS', 2000),
    maxConnectionsPerAddress: count('MAX_CONNECTIONS_PER_ADDRESS', 64),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    serverCrypto: oneOf('SERVER_CRYPTO', ['allowed', 'off'], 'allowed'),
    backupDir,
    backupCopy: readCopyTarget(read, { dataDir, backupDir }, problems),
    setupToken: read('SETUP_TOKEN'),
    corsOrigins: originsFrom('CORS_ORIGINS', read('CORS_ORIGINS'), problems),
    connectOrigins: originsFrom('CONNECT_ORIGINS', read('CONNECT_ORIGINS'), problems),
    auditSyslogUrl: urlFrom('AUDIT_SYSLOG_URL', read('AUDIT_SYSLOG_URL'), ['udp:', 'tcp:'], problems),
    auditWebhookUrl: urlFrom('AUDIT_WEBHOOK_URL', read('AUDIT_WEBHOOK_URL'), ['http:', 'https:'], problems),
    providers,
    allowsLocalSignIn:
      oneOf('LOCAL_SIGN_IN', ['allowed', 'setting'], 'setting') === 'allowed' || providers.length === 0,
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Null if empty. */
function readVariable(environment: Environment, name: string, problems: string[]): string | null {
  const direct = environment[name] ?? '';
  const file = environment[`${name}_FILE`] ?? '';
  if (file === '') return direct === '' ? null : direct;
  if (direct !== '') {
    problems.push(`${name} and ${name}_FILE exclude each other.`);
    return null;
  }
  try {
    if (isOpenToOthers(file)) problems.push(`The file of ${name}_FILE is open to other accounts: chmod 600.`);
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (text === '') problems.push(`The file of ${name}_FILE is empty.`);
    return text === '' ? null : text;
  } catch {
    problems.push(`The file of ${name}_FILE cannot be read.`);
    return null;
  }
}

/** Orchestrators choose the modes of mounted secrets. */
const MOUNTED_FOR_US = ['/run/secrets/', '/run/credentials/'];

const isOpenToOthers = (file: string) =>
  !MOUNTED_FOR_US.some((folder) => file.startsWith(folder)) && (statSync(file).mode & 0o077) !== 0;

/** For `localhost` Fastify runs two servers, and the connection limits would see only one. */
const hostFrom = (text: string | null) => (text === null || text === 'localhost' ? '127.0.0.1' : text);

function portFrom(text: string | null, problems: string[]): number {
  if (text === null) return 8080;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) problems.push('PORT must be a number between 0 and 65535.');
  return port;
}

function databaseFrom(text: string | null, problems: string[]): string | null {
  if (text === null || text === 'sqlite:') return null;
  const problem = postgresUrlProblem(text);
  if (problem !== null) problems.push(`DATABASE_URL ${problem}`);
  return text;
}

function originFrom(name: string, text: string, problems: string[]): string {
  const url = urlOf(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.replace(/\/$/, '') !== url.origin) {
    problems.push(`${name} must be an origin such as https://vault.example.org, without a path: '${text}' is not.`);
    return text;
  }
  return url.origin;
}

/** WebAuthn needs a host name, and HTTPS except on `localhost`. */
function rpIdFrom(text: string | null, publicUrl: string, problems: string[]): string | null {
  const { protocol = '', hostname = '' } = urlOf(publicUrl) ?? {};
  if (text !== null && text !== hostname && !(text.includes('.') && hostname.endsWith(`.${text}`))) {
    problems.push('WEBAUTHN_RP_ID must be the host of PUBLIC_URL or a domain above it.');
  }
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return isAddress || (protocol !== 'https:' && !isLocal) ? null : (text ?? hostname);
}

function originsFrom(name: string, text: string | null, problems: string[]): string[] {
  return listFrom(text).map((origin) => originFrom(name, origin, problems));
}

function urlFrom(name: string, text: string | null, protocols: readonly string[], problems: string[]): string | null {
  if (text === null) return null;
  const url = urlOf(text);
  // Never repeat the value: it may hold a password.
  if (url === null || !protocols.includes(url.protocol) || url.hostname === '') {
    problems.push(
      `${name} must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
    );
  }
  return text;
}

/** URL parameters of nodemailer that silently weaken TLS. */
const WEAKENS_TLS = ['ignoreTLS', 'opportunisticTLS', 'requireTLS', 'tls.rejectUnauthorized'];

function smtpFrom(text: string | null, problems: string[]): string | null {
  const url = urlFrom('SMTP_URL', text, ['smtp:', 'smtps:'], problems);
  const insecure = url === null ? null : (urlOf(url)?.searchParams.get('insecure') ?? null);
  if (insecure !== null && insecure !== '1') problems.push('SMTP_URL can have insecure=1 and no other insecure.');
  const { hostname = '', searchParams = null } = url === null ? {} : (urlOf(url) ?? {});
  const weakening = isLoopbackHost(hostname) ? undefined : WEAKENS_TLS.find((name) => searchParams?.has(name) === true);
  if (weakening !== undefined) {
    problems.push(`SMTP_URL cannot have ${weakening}: insecure=1 allows mail without TLS or with any certificate.`);
  }
  return url;
}

function senderFrom(text: string | null, problems: string[]): string | null {
  if (text === null) return null;
  const address = /^[^<>\p{Cc}]*<([^<>]+)>$/u.exec(text)?.[1] ?? text;
  if (!isEmail(address)) problems.push('MAIL_FROM must be an e-mail address, or a name and the address in <>.');
  return text;
}

const NO_PROXY = 'none';
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

/** Without TRUST_PROXY all clients would share the proxy's address. */
function proxiesFrom(text: string | null, publicUrl: string, problems: string[]): string[] {
  if (text === null && publicUrl.startsWith('https:')) {
    problems.push(
      'TRUST_PROXY must be set with an https PUBLIC_URL: to the addresses of the proxy in front (loopback, uniquelocal, 10.0.0.7), ' +
        'or to none if the proxy does not name its callers. Otherwise everybody shares one limit on failed sign-ins.',
    );
  }
  const proxies = text === NO_PROXY ? [] : listFrom(text);
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address);
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
    if (!NAMED_RANGES.includes(proxy) && (family === 0 || !isRange)) {
      problems.push(
        `TRUST_PROXY must be none, or list addresses, ranges (10.0.0.0/8) or ${NAMED_RANGES.join(', ')}: '${proxy}' is not one.`,
      );
    }
  }
  return proxies;
}

function listFrom(text: string | null): string[] {
  return (text ?? '').split(/[\s,]+/).filter((part) => part !== '');
}
