import { resolve, sep } from 'node:path';
import { urlOf } from '@passwordbroker/core/domain/url';

export interface FolderTarget {
  readonly kind: 'folder';
  readonly path: string;
}

export interface S3Target {
  readonly kind: 's3';
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Empty, or with a trailing slash. */
  readonly prefix: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export type CopyTarget = FolderTarget | S3Target;

/** For the screen and `backup_copies`. */
export const targetName = (target: CopyTarget): string =>
  target.kind === 'folder' ? target.path : `${target.endpoint}/${target.bucket}/${target.prefix}`;

interface Folders {
  readonly dataDir: string;
  readonly backupDir: string;
}

/** A variable or the file that `<name>_FILE` names. */
type Read = (name: string) => string | null;

const S3_VARIABLES = [
  'BACKUP_S3_ENDPOINT',
  'BACKUP_S3_REGION',
  'BACKUP_S3_ACCESS_KEY',
  'BACKUP_S3_SECRET_KEY',
] as const;
const KEY = /^[\u0021-\u007e]{1,256}$/;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?!\.\.?(?:\/|$))[A-Za-z0-9._-]+(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._-]+)*$/;

/** Null if absent or wrong. Adds to `problems`, never key values. */
export function readCopyTarget(read: Read, folders: Folders, problems: string[]): CopyTarget | null {
  const place = read('BACKUP_COPY');
  const store = S3_VARIABLES.map((name) => [name, read(name)] as const);
  if (place?.startsWith('s3://') === true) return readStore(place, Object.fromEntries(store), problems);
  for (const [name, value] of store) {
    if (value !== null) problems.push(`${name} is set, but BACKUP_COPY does not begin with s3://.`);
  }
  return place === null ? null : readFolder(place, folders, problems);
}

function readFolder(place: string, { dataDir, backupDir }: Folders, problems: string[]): CopyTarget | null {
  const path = resolve(place);
  const isWithin = (folder: string) => path === folder || path.startsWith(folder + sep);
  if (place.includes('://')) problems.push('BACKUP_COPY must be a folder, or begin with s3://.');
  else if (isWithin(dataDir) || isWithin(backupDir)) {
    problems.push('BACKUP_COPY must be a folder outside of DATA_DIR and BACKUP_DIR, better on another disk.');
  } else return { kind: 'folder', path };
  return null;
}

type Values = Readonly<Partial<Record<(typeof S3_VARIABLES)[number], string | null>>>;

function readStore(place: string, values: Values, problems: string[]): CopyTarget | null {
  const before = problems.length;
  const [bucket = '', ...folders] = place.slice('s3://'.length).split('/');
  const prefix = folders.join('/').replace(/\/$/, '');
  if (!BUCKET.test(bucket) || (prefix !== '' && !PREFIX.test(prefix))) {
    problems.push(
      'BACKUP_COPY must be s3://bucket or s3://bucket/prefix: letters, digits, dots, dashes, in the prefix also underscores and slashes.',
    );
  }
  const keyFrom = (name: 'BACKUP_S3_ACCESS_KEY' | 'BACKUP_S3_SECRET_KEY'): string => {
    const value = values[name] ?? null;
    if (value === null) problems.push(`${name} is missing: BACKUP_COPY names an S3-compatible store.`);
    else if (!KEY.test(value)) problems.push(`${name} must be one word of at most 256 characters.`);
    return value ?? '';
  };
  const target: CopyTarget = {
    kind: 's3',
    endpoint: endpointFrom(values['BACKUP_S3_ENDPOINT'] ?? null, problems),
    region: values['BACKUP_S3_REGION'] ?? 'us-east-1',
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    accessKey: keyFrom('BACKUP_S3_ACCESS_KEY'),
    secretKey: keyFrom('BACKUP_S3_SECRET_KEY'),
  };
  if (!/^[A-Za-z0-9-]{1,64}$/.test(target.region))
    problems.push('BACKUP_S3_REGION must be a name such as eu-central-1.');
  return problems.length === before ? target : null;
}

function endpointFrom(text: string | null, problems: string[]): string {
  if (text === null) {
    problems.push('BACKUP_S3_ENDPOINT is missing: BACKUP_COPY names an S3-compatible store.');
    return '';
  }
  const url = urlOf(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.replace(/\/$/, '') !== url.origin) {
    problems.push('BACKUP_S3_ENDPOINT must be an origin such as https://s3.example.org, without a path.');
    return '';
  }
  return url.origin;
}
