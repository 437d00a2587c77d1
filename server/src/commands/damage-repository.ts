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
