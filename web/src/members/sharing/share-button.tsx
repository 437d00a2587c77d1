import { Suspense, useCallback, useMemo, useState } from 'react';
import { UserPlus } from 'lucide-react';
import { Button } from '@passwordbroker/ui/actions/button';
import type { GroupTree, NamedGroup } from '../../groups/tree/group-tree.ts';
import { lazyPart } from '../../lib/chunk.ts';
import { SHARING_TEXTS as TEXTS } from '../../texts/groups/sharing.ts';
import { useGroupWhyNot } from '../../trust/use-trust-state.ts';
import { useVault } from '../../vault/use-vault.ts';
import { adminGroupsBelow } from '../changes/over-groups.ts';

const ShareDialog = lazyPart('ShareDialog', () => import('./share-dialog.tsx'));

/** For admins of the group. */
export function ShareButton({ group, tree }: { readonly group: NamedGroup; readonly tree: GroupTree | null }) {
  const { id, title } = group;
  const { write } = useVault();
  const whyNot = useGroupWhyNot(id);
  const shared = useMemo(() => ({ id, title }), [id, title]);
  const below = useMemo(() => adminGroupsBelow(tree, id), [tree, id]);
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <Button
        size="sm"
        icon={<UserPlus size={16} />}
        label={TEXTS.shareLabel(title)}
        whyNot={whyNot}
        onPress={() => setOpen(true)}
      >
        {TEXTS.share}
      </Button>
      {isOpen && write !== null && (
        <Suspense fallback={null}>
          <ShareDialog group={shared} below={below} write={write} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
