/** What is known of the keys of a group's members; nothing while the keyring is closed, and never a reason to ask for the master password. */
import { useQuery } from '@tanstack/react-query';
import { useMasterPasswordView } from '../master-password/use-master-password.ts';
import type { GroupUserWithCertificate } from '@passwordbroker/core/contract/entities';
import type { KeyState } from '../vault/people.ts';
import { useVault } from '../vault/use-vault.ts';

const NONE: ReadonlyMap<string, KeyState> = new Map();

export function useKeyStates(
  groupId: string,
  users: readonly GroupUserWithCertificate[],
): ReadonlyMap<string, KeyState> {
  const vault = useVault();
  const isOpen = useMasterPasswordView().state === 'validated';
  const known = users.map(({ user_id, fpr }) => `${user_id} ${fpr ?? ''}`);
  const { data } = useQuery({
    queryKey: [vault.mode, 'key trust', groupId, known],
    queryFn: () => vault.read.keyStates(users),
    enabled: isOpen && users.length > 0,
    networkMode: 'always',
    retry: false,
    gcTime: 0,
  });
  return isOpen ? (data ?? NONE) : NONE;
}
