import { createRoot } from 'react-dom/client';
import type { GroupNode, GroupTree } from './group-tree.ts';
import { GroupTreeView } from './group-tree-view.tsx';

const nothing = () => undefined;

const node = (id: string, parentId: string | null, children: readonly GroupNode[]): GroupNode => ({
  id,
  title: id,
  role: 'admin',
  parentId,
  children,
});

/** An expanded group with a few children, one of them closed. */
function smallTree(): GroupTree {
  const closed = node('closed', 'open', [node('inner', 'closed', [])]);
  const leaves = ['a', 'b', 'c'].map((id) => node(id, 'open', []));
  const roots = [node('open', null, [closed, ...leaves])];
  return { roots, byId: new Map(roots.map((group) => [group.id, group])), guests: new Set() };
}

/**
 * Renders a small tree invisibly and removes it, because the first rendering compiles slowly. Call it while
 * the page waits.
 */
export function warmUpTree(): void {
  const box = document.createElement('div');
  box.inert = true;
  box.ariaHidden = 'true';
  box.style.cssText = 'position:fixed;top:0;left:0;width:300px;height:300px;display:grid;visibility:hidden';
  document.body.append(box);
  const root = createRoot(box);
  root.render(
    <GroupTreeView
      tree={smallTree()}
      selectedId={null}
      expanded={new Set(['open'])}
      onExpandedChange={nothing}
      onSelect={nothing}
      isMoving={false}
    />,
  );
  // Rows render once the size is known, one frame later.
  setTimeout(() => {
    root.unmount();
    box.remove();
  }, 300);
}
