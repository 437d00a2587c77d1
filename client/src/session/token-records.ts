/** Tokens for other servers, one per server, kept across restarts (docs/spec/product.md §3, §4). */

export interface TokenRecord {
  readonly user_id: string;
  /** E-mail. */
  readonly login: string;
  readonly name: string;
  /** Origin. */
  readonly url: string;
  readonly token: string;
  readonly is_admin: boolean;
  /** Logged out while the server was unreachable: used only to send the logout. */
  readonly is_left?: boolean | undefined;
}

export interface TokenRecords {
  /** Null: none, or it cannot be opened. */
  of(url: string): Promise<TokenRecord | null>;
  all(): Promise<readonly TokenRecord[]>;
  keep(record: TokenRecord): Promise<void>;
  /** @param token only this one: a newer one stays */
  forget(url: string, token?: string): Promise<void>;
  /** Marks the token as logged out. */
  leave(url: string): Promise<void>;
  /** Null: no pending logout. */
  leftAt(url: string): Promise<TokenRecord | null>;
  /**
   * This browser's name for tokens, made at first use. @throws Error with the text of docs/spec/product.md §8
   */
  clientId(): string;
}
