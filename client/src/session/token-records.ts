/** Tokens for other servers, one a server, kept across restarts of the device (docs/spec/product.md §3, §4). */

export interface TokenRecord {
  readonly user_id: string;
  /** E-mail. */
  readonly login: string;
  readonly name: string;
  /** Origin of the server. */
  readonly url: string;
  readonly token: string;
  readonly is_admin: boolean;
  /** Its owner signed out while the server was unreachable: it serves to tell the server, and for nothing else. */
  readonly is_left?: boolean | undefined;
}

export interface TokenRecords {
  /** null: none for this server, or one that cannot be opened any more. */
  of(url: string): Promise<TokenRecord | null>;
  /** By server. */
  all(): Promise<readonly TokenRecord[]>;
  keep(record: TokenRecord): Promise<void>;
  /** @param token only this one: a newer one stays */
  forget(url: string, token?: string): Promise<void>;
  /** From now on it signs nobody in. */
  leave(url: string): Promise<void>;
  /** null: nothing is owed there. */
  leftAt(url: string): Promise<TokenRecord | null>;
  /** The name of this browser's tokens, made when it is first asked for. @throws Error with the text of docs/spec/product.md §8 */
  clientId(): string;
}
