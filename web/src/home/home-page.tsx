import { Suspense, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { ADMIN_PATHS } from '../admin/admin-paths.ts';
import { useCheckup } from '../checkup/use-checkup.ts';
import { type DeskItems, useDeskItems } from '../desk/use-desk-items.ts';
import { PromptPage } from '../groups/page/prompt-page.tsx';
import { useGroupTree } from '../groups/tree/use-group-tree.ts';
import { lazyPart } from '../lib/chunk.ts';
import { desk } from '../page/vault.ts';
import { readsSite, useSession } from '../session/use-session.ts';
import { CHECKUP_TEXTS } from '../texts/admin/checkup.ts';
import { HOME_TEXTS as TEXTS } from '../texts/entries/desk.ts';
import { useSavedSearches } from '../desk/use-desk.ts';
import { GROUP_TEXTS } from '../texts/groups/groups.ts';
import { useVault } from '../vault/use-vault.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { FavouriteList, RecentList, SearchList } from './home-lists.tsx';
import styles from './home.module.css';

const JoinedList = lazyPart('JoinedList', () => import('../invites/joined-list.tsx'));

/** `/`: favourites and recent entries above the prompt; only the prompt while there are none (docs/spec/product.md §2). */
export function HomePage() {
  const items = useDeskItems();
  const { list: searches } = useSavedSearches();
  const { user } = useSession();
  const { mode } = useVault();
  const isReader = mode === 'online' && readsSite(user);
  const isAdmin = mode === 'online' && user?.is_admin === true;
  if (items === null || !(hasContent(items) || searches.length > 0)) {
    return (
      <>
        {isReader && (
          <div className={styles['page']}>
            {isAdmin && <Joined />}
            <OpenCheckup />
          </div>
        )}
        <PromptPage />
      </>
    );
  }
  return <Home items={items} isReader={isReader} isAdmin={isAdmin} />;
}

const hasContent = ({ entries, groups, missing, recent, isDamaged, isLoading, problem }: DeskItems) =>
  isDamaged || isLoading || problem !== null || [entries, groups, missing, recent].some(({ length }) => length > 0);

interface Props {
  readonly items: DeskItems;
  readonly isReader: boolean;
  readonly isAdmin: boolean;
}

function Home({ items, isReader, isAdmin }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { tree } = useGroupTree();
  useEffect(() => {
    document.title = `${TEXTS.page} | PasswordBroker`;
    // After an unlock the button that had the focus is gone.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  const { problem } = items;
  return (
    <div className={styles['page']}>
      <h1 ref={heading} className={styles['title']} tabIndex={-1}>
        {TEXTS.page}
      </h1>
      {items.isDamaged && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={TEXTS.damaged} />
          <Button size="sm" onPress={() => void desk.begin()}>
            {TEXTS.begin}
          </Button>
        </div>
      )}
      {problem !== null && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={[TEXTS.failed, problem.message]} />
          <Button size="sm" onPress={items.retry}>
            {GROUP_TEXTS.retry}
          </Button>
        </div>
      )}
      {isAdmin && <Joined />}
      <FavouriteList items={items} />
      <RecentList items={items} />
      <SearchList />
      {isReader && <OpenCheckup />}
      {tree !== null && tree.roots.length > 0 && (
        <section className={styles['section']}>
          <h2>{GROUP_TEXTS.select}</h2>
          <p className={styles['hint']}>
            <span className={styles['besideTree']}>{GROUP_TEXTS.selectHint}</span>
            <span className={styles['behindMenu']}>{GROUP_TEXTS.selectHintNarrow}</span>
          </p>
        </section>
      )}
    </div>
  );
}

const Joined = () => (
  <Suspense fallback={null}>
    <JoinedList />
  </Suspense>
);

/** Nothing while every point is good. */
function OpenCheckup() {
  const open = useCheckup().data?.open ?? 0;
  if (open === 0) return null;
  return (
    <section className={styles['section']}>
      <h2>{CHECKUP_TEXTS.page}</h2>
      <p className={styles['hint']}>
        {CHECKUP_TEXTS.open(open)}. <Link to={ADMIN_PATHS.checkup}>{TEXTS.checkup}</Link>
      </p>
    </section>
  );
}
