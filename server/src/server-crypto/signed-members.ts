import type { PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Roster } from '@passwordbroker/core/contract/entities';
import type { signRoster } from '@passwordbroker/core/contract/groups/members';
import { signAgain } from '@passwordbroker/core/domain/groups/member-change';
import { rosterConflict } from '../groups/signed-roster.ts';
import type { Context } from '../http/context.ts';
import { signMembers } from '../members/rotation/rotate-group.ts';
import { withCallerKeyring } from './caller-keyring.ts';
import { TRIES, isBehind } from './rotation.ts';
import { acceptOwnList, openAccepted } from './trust/judged-group.ts';
import { continuedMembers } from './trust/recipients.ts';

/** Signs a group's members again. @throws AppError as `signMembers` and `openAccepted` */
export async function signMembersWithMasterPassword(
  context: Context<typeof signRoster, PlainBodyOf<typeof signRoster>>,
): Promise<Roster> {
  const { group, body } = context;
  const groupId = group.entry_group_id;
  return withCallerKeyring(context, body.master_password, async (opened) => {
    const { keyring, trust, deps } = opened;
    for (let tries = 1; ; tries += 1) {
      trust.restart();
      const accepted = await openAccepted(opened, groupId);
      const { roster } = accepted.shared;
      if (roster === null) throw rosterConflict(null);
      const members = await continuedMembers(opened, accepted);
      const signed = await signAgain(keyring, { ...accepted.shared, roster }, { members, now: deps.clock.now() });
      await acceptOwnList(opened, accepted, signed.roster_base64);
      try {
        return await signMembers(deps, context, groupId, signed);
      } catch (error) {
        if (!isBehind(error) || tries === TRIES) throw error;
      }
    }
  });
}
