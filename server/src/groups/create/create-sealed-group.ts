import type { create } from '@passwordbroker/core/contract/groups/entry-groups';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { GroupAnswer } from '@passwordbroker/core/contract/entities';
import type { Answer } from '../../http/answer/answer.ts';
import type { Context } from '../../http/context.ts';
import { digestOfCreate } from '../../http/answer/created-request.ts';
import { createGroup } from './create-group.ts';
import { checkBirth } from './group-key-checks.ts';
import { listRecipients } from '../member-repository.ts';
import { readOwnRoster } from '../signed-roster.ts';

type Creating = Context<typeof create, BodyOf<typeof create>>;

/**
 * Verifies the roster before the transaction, to keep locks short.
 * @throws AppError as `createGroup`; `bad_sealed_value`, `rewrap_set_mismatch`, `roster_conflict`
 */
export async function createSealedGroup(context: Creating): Promise<Answer<GroupAnswer>> {
  const { deps, actor, origin, body } = context;
  const birth = { groupId: body.entry_group_id, creatorId: actor.userId };
  // A bad roster is reported later: repeats and taken ids come first.
  const [roster] = await Promise.allSettled([readOwnRoster(deps.db, actor, body, birth.groupId)]);
  return createGroup(
    { deps, actor, origin },
    {
      groupId: birth.groupId,
      parentId: body.parent_entry_group_id,
      name: body.name,
      sameMembersAsParent: body.same_members_as_parent ?? false,
      keyOrigin: 'client',
      digest: digestOfCreate(context, body),
      keyRows: async (tx, roles, now) => {
        if (roster.status === 'rejected') throw roster.reason;
        const recipients = await listRecipients(tx, [...roles.keys()]);
        return checkBirth({ ...birth, roles, now }, body, { roster: roster.value, recipients });
      },
    },
  );
}
