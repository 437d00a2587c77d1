import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useMatch } from 'react-router';
import { Download, FolderPlus, Move, Trash2, UserMinus } from 'lucide-react';
import { ImportDialog } from '../../import/open-import.tsx';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { useVault, useWhyNot } from '../../vault/use-vault.ts';
import { RoleMark } from '../../members/table/role-mark.tsx';
import { OnlineLink } from '../../app/navigation/navigation.tsx';
import { FORMER_MEMBER_TEXTS } from '../../texts/groups/members.ts';
import { TRASH_TEXTS } from '../../texts/entries/trash-and-activity.ts';
import { AddGroupDialog } from '../dialogs/add-group-dialog.tsx';
import { MoveSurface } from '../move/move-surface.tsx';
import { expandedGroups } from './expanded-groups.ts';
import { GroupTreePane } from './group-tree-pane.tsx';
import { ancestorsOf } from './group-tree.ts';
import styles from './side-panel.module.css';
import { useGroupTree, useTreeAround } from './use-group-tree.ts';

interface Props {
  /** Closes the drawer on a narrow screen. */
  readonly onChosen?: () => void;
}

/** The groups on the left: toolbar, tree, legend. The frame shows it as a column or a drawer. */
export function SidePanel({ onChosen }: Props) {
  const [dialog, setDialog] = useState<'add tree' | 'import' | null>(null);
  const { write } = useVault();
  const whyNot = useWhyNot();
  const { state, tree: newest } = useGroupTree();
  // Deferred: rendering a large tree at once would block a phone for a quarter of a second.
  const tree = useDeferredValue(newest);
  const toggle = useRef<HTMLButtonElement>(null);
  const [isMoveMode, setMoveMode] = useState(false);
  const selectedId = useMatch('/entryGroup/:id')?.params.id ?? null;
  useOpenAbove(selectedId);
  useEffect(() => importRequest.listen(() => setDialog('import')), []);
  const around = useTreeAround();
  const choose = useCallback(
    (id: string) => {
      onChosen?.();
      around.openGroup(id);
    },
    [around, onChosen],
  );

  const leaveMoveMode = () => {
    setMoveMode(false);
    // The bar disappears; a focus in the tree stays.
    if (document.activeElement?.closest('[role=row]') === null) toggle.current?.focus();
  };
  const close = () => setDialog(null);
  const isIdle = write !== null && state !== 'required loading' && state !== 'loading';
  const isMoving = isMoveMode && write !== null && tree !== null && tree.roots.length > 0;
  const pane = (isUpdating: boolean) => (
    <GroupTreePane
      tree={tree}
      selectedId={selectedId}
      onSelect={choose}
      isMoveMode={isMoving}
      isUpdating={isUpdating}
    />
  );
  return (
    <div className={styles['panel']}>
      <div className={styles['tools']} role="toolbar" aria-label={TEXTS.panel}>
        <h2 className={styles['heading']}>{TEXTS.panel}</h2>
        <IconButton
          whyNot={whyNot}
          label={TEXTS.addTree}
          icon={<FolderPlus size={16} />}
          isDisabled={!isIdle}
          onPress={() => setDialog('add tree')}
        />
        <IconButton
          whyNot={whyNot}
          label={TEXTS.importFile}
          icon={<Download size={16} />}
          isDisabled={!isIdle}
          onPress={() => setDialog('import')}
        />
        <IconButton
          whyNot={whyNot}
          label={isMoving ? TEXTS.disableMoveMode : TEXTS.enableMoveMode}
          icon={<Move size={16} />}
          align="end"
          pressed={isMoving}
          ref={toggle}
          isDisabled={!isIdle || tree === null || tree.roots.length === 0}
          onPress={() => setMoveMode(!isMoving)}
        />
      </div>
      {write === null || tree === null ? (
        pane(false)
      ) : (
        <MoveSurface isOn={isMoving} onLeave={leaveMoveMode} tree={tree} write={write} onSelect={choose}>
          {pane}
        </MoveSurface>
      )}
      <PanelFoot onChosen={onChosen} />
      <Legend />
      {dialog === 'add tree' && <AddGroupDialog parent={null} onClose={close} />}
      {dialog === 'import' && write !== null && <ImportDialog write={write} tree={around} onClose={close} />}
    </div>
  );
}

/** Expands the ancestors of a newly selected group once. */
function useOpenAbove(selectedId: string | null) {
  const { tree } = useGroupTree();
  const opened = useRef<string | null>(null);
  useEffect(() => {
    if (selectedId === null) opened.current = null;
    if (tree === null || selectedId === null || !tree.byId.has(selectedId)) return;
    // A reload must not expand groups that the person has closed since.
    if (opened.current === selectedId) return;
    opened.current = selectedId;
    expandedGroups.open(ancestorsOf(tree, selectedId).map((group) => group.id));
  }, [tree, selectedId]);
}

const SHOWN = ['admin', 'moderator', 'member', 'guest'] as const;

function Legend() {
  return (
    <ul className={styles['legend']} aria-label={TEXTS.legend}>
      {SHOWN.map((role) => (
        <li key={role}>
          <span data-role={role}>
            <RoleMark role={role} />
          </span>
          {TEXTS.roles[role]}
        </li>
      ))}
    </ul>
  );
}

function PanelFoot({ onChosen }: { readonly onChosen: (() => void) | undefined }) {
  const { tree } = useGroupTree();
  const isAdmin = tree !== null && [...tree.byId.values()].some(({ role }) => role === 'admin');
  const chosen = onChosen === undefined ? {} : { onFollow: onChosen };
  return (
    <div className={styles['foot']}>
      <OnlineLink to="/trash" className={styles['trash'] ?? ''} {...chosen}>
        <Trash2 size={16} aria-hidden="true" />
        {TRASH_TEXTS.page}
      </OnlineLink>
      {isAdmin && (
        <OnlineLink to="/leavers" className={styles['trash'] ?? ''} {...chosen}>
          <UserMinus size={16} aria-hidden="true" />
          {FORMER_MEMBER_TEXTS.page}
        </OnlineLink>
      )}
    </div>
  );
}

/** Lets a page open the import dialog of the side panel, which stays open when the import navigates. */
const listeners = new Set<() => void>();

export const importRequest = {
  tell: (): void => {
    for (const listener of listeners) listener();
  },
  /** @returns unsubscribes */
  listen: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
