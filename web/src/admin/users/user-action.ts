/** Changes of an account in the list, except editing and deleting. */
import { setAdmin, setAuditor, setDisabled } from '@passwordbroker/core/contract/users/people';
import type { User } from '@passwordbroker/core/contract/users/user';
import type { Http } from '@passwordbroker/client/transport/http';

export type UserAction = 'promote' | 'demote' | 'makeAuditor' | 'endAuditor' | 'disable' | 'enable' | 'resetKeys';
/** Changes that need one call after one confirmation. */
export type PlainUserAction = Exclude<UserAction, 'resetKeys'>;

const CALLS: Readonly<Record<PlainUserAction, (http: Http, id: string) => Promise<User>>> = {
  promote: (http, id) => http.call(setAdmin, { params: { id }, body: { is_admin: true } }),
  demote: (http, id) => http.call(setAdmin, { params: { id }, body: { is_admin: false } }),
  makeAuditor: (http, id) => http.call(setAuditor, { params: { id }, body: { is_auditor: true } }),
  endAuditor: (http, id) => http.call(setAuditor, { params: { id }, body: { is_auditor: false } }),
  disable: (http, id) => http.call(setDisabled, { params: { id }, body: { status: true } }),
  enable: (http, id) => http.call(setDisabled, { params: { id }, body: { status: false } }),
};

/**
 * Returns the changed account.
 * @throws AppError 'reauth_required', 'conflict' (the last site admin)
 */
export const doUserAction = (http: Http, action: PlainUserAction, user: User): Promise<User> =>
  CALLS[action](http, user.user_id);
