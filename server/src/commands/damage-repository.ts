import type { Database } from '../db/database.ts';

interface NamedBody {
  readonly body_sha256: string;
  readonly field_id: string;
}

/** File bodies that revisions name, each once, in the order of their names, after `after`. */
export async function listNamedBodies(
  { read }: Pick<Database, 'read'>,
  after: string,
  limit: number,
): Promise<NamedBody[]> {
  return read
    .selectFrom('field_revisions')
    .select((row) => ['body_sha256', row.fn.min('field_id').as('field_id')])
    .where('body_sha256', '>', after)
    .groupBy('body_sha256')
    .orderBy('body_sha256')
    .limit(limit)
    .$narrowType<{ body_sha256: string }>()
    .execute();
}

/** Ids of accounts whose sign-in asks for a second factor although they have none. */
export async function listWithoutTheirFactor({ read }: Pick<Database, 'read'>): Promise<string[]> {
  const rows = await read
    .selectFrom('users')
    .leftJoin('user_totp', (join) =>
      join.onRef('user_totp.user_id', '=', 'users.user_id').on('user_totp.confirmed_at', 'is not', null),
    )
    .select('users.user_id')
    .where('users.factor_state', '=', 'set')
    .where('user_totp.totp_id', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('user_passkeys')
            .select('user_passkeys.passkey_id')
            .whereRef('user_passkeys.user_id', '=', 'users.user_id')
            .where('user_passkeys.for_factor', '=', 1),
        ),
      ),
    )
    .orderBy('users.user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}
