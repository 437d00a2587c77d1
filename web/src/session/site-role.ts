import type { User } from '@passwordbroker/core/contract/users/user';
import { useSession } from './use-session.ts';

/** Site admins and auditors may see the admin panel (docs/spec/decisions.md I14). */
export const readsSite = (user: User | null): boolean => user?.is_admin === true || user?.is_auditor === true;

export const useMayChange = (): boolean => useSession().user?.is_admin === true;
