/**
 * Roles of the site (docs/spec/decisions.md I14): site admins change settings, auditors can read
 * them.
 */
import type { User } from '@passwordbroker/core/contract/users/user';
import { useSession } from './use-session.ts';

/** Whether this person may see the admin panel. */
export const readsSite = (user: User | null): boolean => user?.is_admin === true || user?.is_auditor === true;

/** Whether this person may change things in the admin panel. */
export const useMayChange = (): boolean => useSession().user?.is_admin === true;
