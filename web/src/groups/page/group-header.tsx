import { Fragment, useEffect, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import type { GroupAnswer } from '@passwordbroker/core/contract/entities';
import { Eye, TriangleAlert, Upload } from 'lucide-react';
import { can, type Role } from '@passwordbroker/core/domain/policy';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { WhoCanSee } from '../../access/who-can-see.tsx';
import { FavouriteStar } from '../../desk/favourite-star.tsx';
import { useFavourites } from '../../desk/use-desk.ts';
import { ExportDialog } from '../../export/open-export.tsx';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { RoleMark } from '../../members/table/role-mark.tsx';
import { GroupTrustBanner } from '../../trust/group/group-trust-banner.tsx';
import { SignedPeople } from '../../trust/group/signed-people.tsx';
import type { SignedMembership } from '@passwordbroker/client/keyring/calls';
import { useVault, useWhyNot } from '../../vault/use-vault.ts';
import { ShareButton } from '../../members/sharing/share-button.tsx';
import type { GroupNode, GroupTree } from '../tree/group-tree.ts';
import styles from './group-page.module.css';
import membershipNoteStyles from './membership-note.module.css';

interface Props {
  readonly answer: GroupAnswer;
  /** Groups above this one, root first. */
  readonly ancestors: readonly GroupNode[];
  /** null while it is loading. */
  readonly tree: GroupTree | null;
}

export function GroupHeader({ answer, ancestors, tree }: Props) {
  const { write } = useVault();
  const { entryGroup, role, admins } = answer;
  const favourites = useFavourites('group');
  const whyNot = useWhyNot();
  const [isAsked, setAsked] = useState(false);
  const [isExporting, setExporting] = useState(false);
  const group = { id: entryGroup.entry_group_id, title: entryGroup.title };
  useEffect(() => {
    document.title = `${entryGroup.title} | PasswordBroker`;
  }, [entryGroup.title]);

  return (
    <header>
      <Crumbs title={entryGroup.title} ancestors={ancestors} />
      <div className={styles['titleLine']}>
        <h1 className={styles['title']}>{entryGroup.title}</h1>
        <FavouriteStar
          title={entryGroup.title}
          isOn={favourites.ids.has(entryGroup.entry_group_id)}
          onToggle={() => favourites.toggle(entryGroup.entry_group_id, entryGroup.title)}
        />
        <span className={styles['role']} data-role={role.role}>
          <RoleMark role={role.role} />
          {TEXTS.youAre(TEXTS.roles[role.role])}
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
        <span className={styles['share']}>
          <IconButton
            label={TEXTS.whoCanSee}
            icon={<Eye size={16} />}
            whyNot={whyNot}
            align="end"
            onPress={() => setAsked(true)}
          />
          <IconButton
            label={TEXTS.exportGroup}
            icon={<Upload size={16} />}
            whyNot={whyNot}
            align="end"
            onPress={() => setExporting(true)}
          />
          {write !== null && can(role.role, 'members.write') && <ShareButton group={group} tree={tree} />}
        </span>
      </div>
      <GroupTrustBanner groupId={entryGroup.entry_group_id} isAdmin={role.role === 'admin'} />
      <MembershipNote groupId={entryGroup.entry_group_id} role={role.role} />
      {isExporting && write !== null && (
        <ExportDialog
          what={{ kind: 'group', groupId: entryGroup.entry_group_id }}
          write={write}
          onClose={() => setExporting(false)}
        />
      )}
      {isAsked && <WhoCanSee group={group} entry={null} selfId={role.user_id} onClose={() => setAsked(false)} />}
    </header>
  );
}

interface CrumbsProps {
  readonly title: string;
  readonly ancestors: Props['ancestors'];
}

/** Empty at a root, where it would repeat the title; the line stays, so that titles keep their place. */
function Crumbs({ title, ancestors }: CrumbsProps) {
  if (ancestors.length === 0) return <div className={styles['crumbs']} />;
  return (
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
          <span aria-current="page">{title}</span>
        </li>
      </ol>
    </nav>
  );
}

interface MembershipNoteProps {
  readonly groupId: string;
  /** As the server sends it. */
  readonly role: Role | 'guest';
}

/**
 * Says where the signed member list and the server disagree about the own role or key (docs/spec/crypto.md
 * §9).
 */
export function MembershipNote({ groupId, role }: MembershipNoteProps) {
  const { memberships } = useVault();
  const membership = useSyncExternalStore(memberships.subscribe, () => memberships.of(groupId));
  // null: no signed list, or the group does not open; the trust banner says so.
  if (membership === undefined || membership === null) return null;
  return differences(membership, role).map((line) => (
    <p key={line} className={membershipNoteStyles['note']} data-tone="warning">
      <TriangleAlert size={14} aria-hidden="true" />
      {line}
    </p>
  ));
}

function differences(membership: SignedMembership, role: MembershipNoteProps['role']): string[] {
  return [
    ...(membership.role === role ? [] : [TEXTS.otherRole(TEXTS.roles[membership.role], TEXTS.roles[role])]),
    ...(membership.isOwnKey ? [] : [TEXTS.keyChanged]),
  ];
}
