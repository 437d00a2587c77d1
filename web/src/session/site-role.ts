/** Roles of the site (docs/spec/decisions.md I14): site admins change it, auditors read what those see. */
import type { User } from '@passwordbroker/core/contract/users/user';
import { useSession } from './use-session.ts';

/** Whether the admin panel is for this person. */
export const readsSite = (user: User | null): boolean => user?.is_admin === true || user?.is_auditor === true;

/** Whether the pages of the admin panel show what changes something. */
export const useMayChange = (): boolean => useSession().user?.is_admin === true;
