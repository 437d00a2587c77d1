import type { EntryGroup } from '@passwordbroker/core/contract/entities';
import { can, type Role } from '@passwordbroker/core/domain/policy';
import type { GroupTree } from '../../groups/tree/group-tree.ts';
import { useVault, useWhyNot } from '../../vault/use-vault.ts';
import { AdminControls } from '../changes/admin-controls.tsx';
import styles from './members.module.css';
import { NoAdding } from '../changes/no-adding.tsx';
import { MemberList } from './member-list.tsx';

interface Props {
  readonly group: EntryGroup;
  readonly selfId: string;
  readonly role: Role;
  /** null while it is loading. */
  readonly tree: GroupTree | null;
}

/** Members of the group. Everyone sees them; admins change them (docs/spec/product.md §2, §6). */
export function MembersTab({ group, selfId, role, tree }: Props) {
  const { write } = useVault();
  const whyNot = useWhyNot();
  return (
    <div className={styles['tab']}>
      {write !== null && can(role, 'members.write') ? (
        <AdminControls group={group} selfId={selfId} tree={tree} write={write} />
      ) : (
        <>
          {whyNot !== null && can(role, 'members.write') && <NoAdding whyNot={whyNot} />}
          <MemberList group={group} selfId={selfId} verbs={null} />
        </>
      )}
    </div>
  );
}
