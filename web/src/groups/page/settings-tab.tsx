import { useState, type ReactNode } from 'react';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { TRASH_TEXTS } from '../../texts/entries/trash.ts';
import { TrashList } from '../../trash/trash-list.tsx';
import { Button } from '@passwordbroker/ui/actions/button';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import type { GroupNode, GroupTree } from '../tree/group-tree.ts';
import { MoveGroupDialog } from '../move/move-group-dialog.tsx';
import { RemoveGroupDialog } from '../dialogs/remove-group-dialog.tsx';
import { RenameGroupForm } from './rename-group-form.tsx';
import styles from './settings-tab.module.css';

interface Props {
  readonly group: GroupNode;
  readonly tree: GroupTree;
  readonly write: VaultWrite;
}

/** For admins of a group: rename, move, delete, and its trash (docs/spec/product.md §2). */
export function SettingsTab({ group, tree, write }: Props) {
  const [dialog, setDialog] = useState<'move' | 'remove' | null>(null);
  const close = () => setDialog(null);
  return (
    <div className={styles['tab']}>
      <div className={styles['settings']}>
        <RenameGroupForm group={group} write={write} />
        <Section title={TEXTS.move} hint={TEXTS.moveHintInSettings}>
          <Button variant="secondary" onPress={() => setDialog('move')}>
            {TEXTS.moveTo}
          </Button>
        </Section>
        <Section title={TEXTS.remove} hint={TEXTS.removeHint}>
          <Button variant="danger-quiet" onPress={() => setDialog('remove')}>
            {TEXTS.remove}
          </Button>
        </Section>
      </div>
      <section className={styles['trash']} aria-label={TRASH_TEXTS.ofGroup}>
        <h2 className={styles['heading']}>{TRASH_TEXTS.ofGroup}</h2>
        <TrashList groupId={group.id} />
      </section>
      {dialog === 'move' && <MoveGroupDialog group={group} tree={tree} write={write} onClose={close} />}
      {dialog === 'remove' && <RemoveGroupDialog group={group} tree={tree} write={write} onClose={close} />}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}

function Section({ title, hint, children }: SectionProps) {
  return (
    <section className={styles['section']} aria-label={title}>
      <div>
        <h2 className={styles['heading']}>{title}</h2>
        <p className={styles['hint']}>{hint}</p>
      </div>
      {children}
    </section>
  );
}
