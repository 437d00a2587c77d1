/** Where the group lies, its title, the person's role in it, its admins. */
import { Fragment, useEffect } from 'react';
import { Link } from 'react-router';
import type { GroupAnswer } from '@passwordbroker/core/contract/entities';
import { ENTRY_GROUP_TEXTS as TEXTS } from '../texts/entry-groups.ts';
import { RoleMark } from '../ui/role-mark.tsx';
import styles from './group-page.module.css';
import type { GroupNode } from './group-tree.ts';
import { GroupTrustBanner } from '../trust/group-trust-banner.tsx';
import { SignedPeople } from '../trust/signed-people.tsx';
import { MembershipNote } from './membership-note.tsx';

interface Props {
  readonly answer: GroupAnswer;
  /** The groups above, the root first. */
  readonly ancestors: readonly GroupNode[];
}

export function GroupHeader({ answer, ancestors }: Props) {
  const { entryGroup, role, admins } = answer;
  useEffect(() => {
    document.title = `${entryGroup.title} | PasswordBroker`;
  }, [entryGroup.title]);

  return (
    <header>
      <nav aria-label={TEXTS.path}>
        <ol className={styles['crumbs']}>
          {ancestors.map((group) => (
            <li key={group.id}>
              {group.role === 'guest' ? (
                <span>{group.title}</span>
              ) : (
                <Link to={`/entryGroup/${group.id}`}>{group.title}</Link>
              )}
              <span aria-hidden="true">/</span>
            </li>
          ))}
          <li>
            <span aria-current="page">{entryGroup.title}</span>
          </li>
        </ol>
      </nav>
      <div className={styles['titleLine']}>
        <h1 className={styles['title']}>{entryGroup.title}</h1>
        <span className={styles['role']} data-role={role.role}>
          <RoleMark role={role.role} />
          {TEXTS.roles[role.role]}
        </span>
        <SignedPeople groupId={entryGroup.entry_group_id} />
        <p className={styles['admins']}>
          {TEXTS.admins}{' '}
          {admins.map((admin, index) => (
            <Fragment key={admin.user_id}>
              {index > 0 && ', '}
              <b>{admin.user.name}</b>
            </Fragment>
          ))}
        </p>
      </div>
      <GroupTrustBanner groupId={entryGroup.entry_group_id} isAdmin={role.role === 'admin'} />
      <MembershipNote groupId={entryGroup.entry_group_id} role={role.role} />
    </header>
  );
}
