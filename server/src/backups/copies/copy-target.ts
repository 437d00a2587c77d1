/** The second target of backups, as the environment names it. */

export interface FolderTarget {
  readonly kind: 'folder';
  readonly path: string;
}

export interface S3Target {
  readonly kind: 's3';
  /** Origin of the store, without a slash at the end. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** What the keys begin with: empty, or with a slash at the end. */
  readonly prefix: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export type CopyTarget = FolderTarget | S3Target;

/** Where copies go, for people and for the rows of copies: the path of the folder, or what the URLs of the objects begin with. */
export const targetName = (target: CopyTarget): string =>
  target.kind === 'folder' ? target.path : `${target.endpoint}/${target.bucket}/${target.prefix}`;
