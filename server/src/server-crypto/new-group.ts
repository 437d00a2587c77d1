/**
 * Plain form of new groups (docs/spec/crypto.md §8). Without a master password the server makes the secret,
 * wraps it and forgets it; the group has no roster until a rotation.
 */
import type { create } from '@passwordbroker/core/contract/groups/entry-groups';
import type { BodyOf, PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import type { GroupAnswer } from '@passwordbroker/core/contract/entities';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { type PublicIdentity, verifyCertificate } from '@passwordbroker/core/domain/keyring/certificate';
import type { SignedMember } from '@passwordbroker/core/domain/groups/group-keys';
import {
  GRANT_ALGORITHM,
  commitmentOf,
  createGroupSecret,
  wrapGroupSecret,
} from '@passwordbroker/core/domain/groups/grants';
import { createGroupKeys } from '@passwordbroker/core/domain/groups/group-keys';
import { type Role, can } from '@passwordbroker/core/domain/policy';
import { createGroup } from '../groups/create-group.ts';
import type { Recipient, Roles } from '../groups/group-key-checks.ts';
import type { NewGroupKeyRows } from '../groups/key-repository.ts';
import { listRecipients } from '../groups/group-repository.ts';
import { type Answer, type SealedForm, sealedForm } from '../http/answer/answer.ts';
import type { Context } from '../http/context.ts';
import { digestOfCreate } from '../http/answer/created-request-repository.ts';
import { findGroup } from '../http/auth/path-repository.ts';
import { listCertificates } from '../users/keys/key-repository.ts';
import { type OpenedCaller, isMasterPasswordGiven, withCallerKeyring } from './caller-keyring.ts';
import { acceptOwnList, openAccepted } from './trust/judged-group.ts';
import { listNamesOnPath } from './trust/judging-repository.ts';
import { listedMembers, recipientsOf, unsignedMembers } from './trust/recipients.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

type Plain = PlainBodyOf<typeof create>;
type Sealed = BodyOf<typeof create>;

export function createPlainGroup(
  context: Context<typeof create, Plain>,
): Promise<SealedForm<Sealed> | Answer<GroupAnswer>> {
  return isMasterPasswordGiven(context.body.master_password) ? sealNewGroup(context) : makeServerGroup(context);
}

async function sealNewGroup(context: Context<typeof create, Plain>): Promise<SealedForm<Sealed>> {
  const { body } = context;
  await refuseParent(context);
  return withCallerKeyring(context, body.master_password, async (opened) => {
    const { keyring, deps } = opened;
    const groupId = body.entry_group_id ?? deps.newId();
    const { others, path } = await fromParent(context, opened);
    const members = others.filter(({ identity }) => identity.userId !== keyring.userId);
    const { wire } = await createGroupKeys(keyring, {
      groupId,
      members: [...members, { identity: keyring.identity, role: 'admin' }],
      now: deps.clock.now(),
    });
    await acceptOwnList(opened, { groupId, path: [...path, body.name] }, wire.roster_base64);
    const { name, parent_entry_group_id, same_members_as_parent } = body;
    return sealedForm(
      {
        name,
        entry_group_id: groupId,
        parent_entry_group_id,
        same_members_as_parent,
        ...wire,
        grants: [...wire.grants],
      },
      { deps },
    );
  });
}

/**
 * Checked again in the transaction; here so that no key is derived without the right (docs/spec/api.md §1.3).
 */
async function refuseParent({ deps, actor, body }: Context<typeof create, Plain>): Promise<void> {
  const parentId = body.parent_entry_group_id;
  if (parentId === undefined) return;
  const parent = await findGroup(deps.db, parentId, actor.userId);
  if (parent === undefined) throw refuse('parent_entry_group_id', TEXTS.unknown('parent entry group'));
  if (!can(parent.role, 'group.create-child')) throw new AppError('forbidden');
}

/**
 * The people of the parent's list if requested; without a list, those of the database. @throws AppError as
 * `openAccepted` and `recipientsOf`
 */
async function fromParent({ deps, body }: Context<typeof create, Plain>, opened: OpenedCaller) {
  const parentId = body.parent_entry_group_id;
  if (parentId === undefined) return { others: [], path: [] };
  if (body.same_members_as_parent !== true) return { others: [], path: await listNamesOnPath(deps.db, parentId) };
  const parent = await openAccepted(opened, parentId);
  const others = parent.newest === null ? await unsignedMembers(opened, parent) : await recipientsOf(opened, parent);
  return { others, path: parent.shown.path };
}

/** As `fromParent`, without a trust record. */
async function parentMembers(context: Context<typeof create, Plain>): Promise<readonly SignedMember[]> {
  const { deps, actor, body } = context;
  const parentId = body.parent_entry_group_id;
  if (body.same_members_as_parent !== true || parentId === undefined) return [];
  return listedMembers(deps.db, parentId, actor.userId).catch(asIntegrityError);
}

function asIntegrityError(error: unknown): never {
  throw error instanceof CryptoError ? new AppError('integrity_error') : error;
}

/** Members may change meanwhile. */
const TRIES = 3;

async function makeServerGroup(context: Context<typeof create, Plain>): Promise<Answer<GroupAnswer>> {
  const { deps, actor, origin, body } = context;
  const [own] = await listCertificates(deps.db, actor.userId);
  if (own === undefined) throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });
  await refuseParent(context);
  const groupId = body.entry_group_id ?? deps.newId();
  const self = { identity: await verifyCertificate(own), role: 'admin' as const };
  for (let tries = 1; ; tries += 1) {
    const others = (await parentMembers(context)).filter(({ identity }) => identity.userId !== actor.userId);
    const made = await makeServerKey(groupId, actor.userId, [...others, self], deps.clock.now());
    try {
      return await createGroup(
        { deps, actor, origin },
        {
          groupId,
          parentId: body.parent_entry_group_id,
          name: body.name,
          sameMembersAsParent: body.same_members_as_parent ?? false,
          keyOrigin: 'server',
          digest: digestOfCreate({ ...context, isPlainForm: false }, body),
          keyRows: async (tx, roles) => {
            refuseOtherMembers(made.grants, roles, await listRecipients(tx, [...roles.keys()]));
            return made;
          },
        },
      );
    } catch (error) {
      const isBehind = error instanceof AppError && error.code === 'rewrap_set_mismatch';
      if (!isBehind || tries === TRIES) throw error;
    }
  }
}

async function makeServerKey(
  groupId: string,
  creatorId: string,
  members: readonly { readonly identity: PublicIdentity; readonly role: Role }[],
  now: number,
): Promise<NewGroupKeyRows> {
  const secret = createGroupSecret();
  try {
    const commit = await commitmentOf(secret, groupId, 1);
    const grants = await Promise.all(
      members.map(async ({ identity, role }) => ({
        entry_group_id: groupId,
        gk_version: 1,
        user_id: identity.userId,
        alg: GRANT_ALGORITHM,
        wrapped: Buffer.from(await wrapGroupSecret(secret, identity)),
        role,
        recipient_fpr: identity.fingerprint,
        granted_by: creatorId,
        created_at: now,
      })),
    );
    const key = { entry_group_id: groupId, gk_version: 1, gk_commit: Buffer.from(commit), created_at: now };
    return { key, grants, roster: null };
  } finally {
    secret.fill(0);
  }
}

/** @throws AppError `rewrap_set_mismatch` if members, roles or keys have changed */
function refuseOtherMembers(
  grants: NewGroupKeyRows['grants'],
  roles: Roles,
  recipients: ReadonlyMap<string, Recipient>,
): void {
  const isSame =
    grants.length === roles.size &&
    grants.every(
      (grant) =>
        roles.get(grant.user_id) === grant.role && recipients.get(grant.user_id)?.fingerprint === grant.recipient_fpr,
    );
  if (!isSame) throw new AppError('rewrap_set_mismatch');
}
