export interface FolderTarget {
  readonly kind: 'folder';
  readonly path: string;
}

export interface S3Target {
  readonly kind: 's3';
  /** Origin without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Empty, or with a trailing slash. */
  readonly prefix: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export type CopyTarget = FolderTarget | S3Target;

/** On the screen and in `backup_copies`: folder path or URL prefix. */
export const targetName = (target: CopyTarget): string =>
  target.kind === 'folder' ? target.path : `${target.endpoint}/${target.bucket}/${target.prefix}`;
