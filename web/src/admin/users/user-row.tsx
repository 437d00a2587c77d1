import type { User } from '@passwordbroker/core/contract/users/user';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import type { ReactNode } from 'react';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useNavigate } from 'react-router';
import { PersonInitials } from '../../app/layout/person-initials.tsx';
import { formatTime } from '../../lib/format.ts';
import { ADMIN_SIGN_IN_TEXTS as SIGN_IN_TEXTS } from '../../texts/admin/sign-in.ts';
import { ADMIN_USERS_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { DataRow } from '@passwordbroker/ui/display/data-table';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { Menu } from '@passwordbroker/ui/overlays/menu';
import { ADMIN_PATHS } from '../admin-paths.ts';
import admin from '../admin.module.css';
import styles from './users.module.css';
import { setAdmin, setAuditor, setBreakGlass, setDisabled } from '@passwordbroker/core/contract/users/people';
import type { Http } from '@passwordbroker/client/transport/http';
import { Badge } from '@passwordbroker/ui/display/badge';

interface VerbsProps {
  readonly user: User;
  readonly isSelf: boolean;
  readonly isRemoving: boolean;
  /** The site has sign-in services. */
  readonly hasProviders: boolean;
  readonly onAction: (action: UserAction) => void;
  readonly onRemove: () => void;
}

/** @param verbs empty for auditors */
export function UserRow({ user, verbs }: { readonly user: User; readonly verbs: ReactNode }) {
  return (
    <DataRow>
      <div role="cell" className={`${styles['name']} ${user.disabled === true ? styles['off'] : ''}`}>
        <PersonInitials name={user.name} />
        <span>{user.name}</span>
      </div>
      <div role="cell" className={styles['email']}>
        {user.email}
      </div>
      <div role="cell" className={`${admin['date']} ${styles['when']}`}>
        <time dateTime={user.created_at}>{formatTime(user.created_at)}</time>
      </div>
      <div role="cell" className={`${admin['date']} ${styles['storage']}`}>
        {formatFileSize(user.storage_bytes ?? 0)}
      </div>
      <div role="cell" className={styles['access']}>
        <UserMarks user={user} />
      </div>
      {verbs}
    </DataRow>
  );
}

export function UserVerbs({ user, isSelf, isRemoving, hasProviders, onAction, onRemove }: VerbsProps) {
  const navigate = useNavigate();
  const verb = (action: Exclude<UserAction, 'resetFactors'>, isOff = false) => ({
    label: TEXTS.verbs[action],
    isDisabled: isOff,
    onPress: () => onAction(action),
  });
  return (
    <div role="cell" className={`${admin['verbs']} ${styles['verbs']}`}>
      <IconButton
        label={TEXTS.edit(user.name)}
        icon={<Pencil size={16} />}
        align="end"
        onPress={() => void navigate(ADMIN_PATHS.update(user.user_id))}
      />
      <IconButton
        label={TEXTS.remove(user.name)}
        {...(isSelf ? { tooltip: TEXTS.notYourself } : {})}
        icon={<Trash2 size={16} />}
        tone="danger"
        align="end"
        isDisabled={isSelf}
        busy={isRemoving}
        onPress={onRemove}
      />
      <Menu
        label={TEXTS.more(user.name)}
        icon={<Ellipsis size={16} />}
        items={[
          verb(user.is_admin ? 'demote' : 'promote'),
          ...(user.is_admin ? [] : [verb(user.is_auditor === true ? 'endAuditor' : 'makeAuditor')]),
          ...(user.break_glass === true ? [verb('endBreakGlass')] : []),
          ...(hasProviders && user.is_admin && user.break_glass !== true ? [verb('nameBreakGlass')] : []),
          verb(user.disabled === true ? 'enable' : 'disable', isSelf),
          verb('resetKeys', isSelf || !user.has_keys),
          {
            label: SIGN_IN_TEXTS.verb,
            isDisabled: isSelf || user.factor_state === undefined,
            onPress: () => onAction('resetFactors'),
          },
          {
            label: TEXTS.verbs.offboard,
            isDisabled: isSelf,
            onPress: () => void navigate(ADMIN_PATHS.offboard(user.user_id)),
          },
        ]}
      />
    </div>
  );
}

export type UserAction =
  | 'promote'
  | 'demote'
  | 'makeAuditor'
  | 'endAuditor'
  | 'nameBreakGlass'
  | 'endBreakGlass'
  | 'disable'
  | 'enable'
  | 'resetKeys'
  | 'resetFactors';
/** Changes that need one call after one confirmation. */
export type PlainUserAction = Exclude<UserAction, 'resetKeys' | 'resetFactors'>;

const CALLS: Readonly<Record<PlainUserAction, (http: Http, id: string) => Promise<User>>> = {
  promote: (http, id) => http.call(setAdmin, { params: { id }, body: { is_admin: true } }),
  demote: (http, id) => http.call(setAdmin, { params: { id }, body: { is_admin: false } }),
  makeAuditor: (http, id) => http.call(setAuditor, { params: { id }, body: { is_auditor: true } }),
  endAuditor: (http, id) => http.call(setAuditor, { params: { id }, body: { is_auditor: false } }),
  nameBreakGlass: (http, id) => http.call(setBreakGlass, { params: { id }, body: { status: true } }),
  endBreakGlass: (http, id) => http.call(setBreakGlass, { params: { id }, body: { status: false } }),
  disable: (http, id) => http.call(setDisabled, { params: { id }, body: { status: true } }),
  enable: (http, id) => http.call(setDisabled, { params: { id }, body: { status: false } }),
};

/** @throws AppError 'reauth_required', 'conflict' (the last site admin) */
export const doUserAction = (http: Http, action: PlainUserAction, user: User): Promise<User> =>
  CALLS[action](http, user.user_id);

const MARKS_TEXTS = TEXTS.marks;

export function UserMarks({ user }: { readonly user: User }) {
  return (
    <span className={admin['marks']}>
      {user.is_admin && <Badge text={MARKS_TEXTS.admin} />}
      {user.is_auditor === true && <Badge text={MARKS_TEXTS.auditor} />}
      {user.break_glass === true && <Badge text={MARKS_TEXTS.breakGlass} />}
      {user.disabled === true && <Badge tone="danger" text={MARKS_TEXTS.disabled} />}
      {user.providers?.map((name) => (
        <Badge key={name} tone="info" text={MARKS_TEXTS.provider(name)} />
      ))}
      {user.has_password === false && <Badge text={MARKS_TEXTS.noPassword} />}
      {!user.has_keys && <Badge tone="warning" text={MARKS_TEXTS.noKeys} />}
      {user.must_rekey && <Badge tone="warning" text={MARKS_TEXTS.mustRekey} />}
      {user.factor_state === 'reset' && <Badge tone="warning" text={SIGN_IN_TEXTS.marks.reset} />}
      {user.factor_state === undefined && user.factor_due_at !== undefined && (
        <Badge tone="warning" text={SIGN_IN_TEXTS.marks.none} />
      )}
      {user.has_keys && user.recovery_kit_at === null && <Badge text={MARKS_TEXTS.noRecoveryKit} />}
      {user.mp_exposed_at !== null && <Badge tone="info" text={MARKS_TEXTS.exposed} />}
    </span>
  );
}
