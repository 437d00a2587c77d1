/**
 * Adds a member as an admin's client does: confirms the key, wraps the secret for it, signs the next list.
 */
import type { Role } from '@passwordbroker/core/domain/policy';
import type { RealVault } from './real-vault.node.ts';

interface Somebody {
  readonly userId: string;
  readonly name: string;
}

export async function takeIn({ vault }: Pick<RealVault, 'vault'>, groupId: string, person: Somebody, role: Role) {
  const trust = await vault.read.keyTrust(person);
  if (vault.write === null || trust.state === 'none' || trust.state === 'changed') throw new Error(trust.state);
  const { fingerprint } = trust.current;
  if (trust.state === 'unknown') await vault.write.members.confirmKey(person, fingerprint, 'words');
  return vault.write.members.add(groupId, { userId: person.userId, fingerprint }, role);
}
