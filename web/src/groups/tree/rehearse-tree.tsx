/** The first drawing of a tree in a page is its slowest one, because its code is compiled meanwhile. */
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

/** An open group with a few in it, one of which is closed. */
function smallTree(): GroupTree {
  const closed = node('closed', 'open', [node('inner', 'closed', [])]);
  const leaves = ['a', 'b', 'c'].map((id) => node(id, 'open', []));
  const roots = [node('open', null, [closed, ...leaves])];
  return { roots, byId: new Map(roots.map((group) => [group.id, group])), guests: new Set() };
}

/** Draws a small one where nobody sees, hears or reaches it, and takes it away: in moments in which the page has nothing to do but wait. */
export function rehearseTree(): void {
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
  // Its rows are drawn when its size is known, in the frame after the first one.
  setTimeout(() => {
    root.unmount();
    box.remove();
  }, 300);
}
