/** The second target of backups, as configured in the environment. */

export interface FolderTarget {
  readonly kind: 'folder';
  readonly path: string;
}

export interface S3Target {
  readonly kind: 's3';
  /** Origin of the store, without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Prefix of the object keys: empty, or with a trailing slash. */
  readonly prefix: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export type CopyTarget = FolderTarget | S3Target;

/**
 * Name of a target on the screen and in `backup_copies`: the path of the folder, or the URL prefix
 * of the objects.
 */
export const targetName = (target: CopyTarget): string =>
  target.kind === 'folder' ? target.path : `${target.endpoint}/${target.bucket}/${target.prefix}`;
