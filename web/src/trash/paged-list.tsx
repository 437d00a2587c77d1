import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyLine } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Pager } from '@passwordbroker/ui/display/pager';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import type { Page } from '@passwordbroker/client/vault/vault';
import styles from './trash.module.css';

interface Props<Row> {
  readonly page: Page<Row> | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly onRetry: () => void;
  readonly onPage: (page: number) => void;
  readonly texts: {
    readonly list: string;
    readonly loading: string;
    readonly failed: string;
    readonly retry: string;
    readonly empty: string;
    readonly emptyHint: string;
  };
  /** Shown above the rows, if there are any. */
  readonly head?: ReactNode;
  readonly children: (row: Row) => ReactNode;
}

/** A paginated list with its states. Keeps the focus when a row disappears. */
export function PagedList<Row>({ page, error, isFetching, onRetry, onPage, texts, head, children }: Props<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const lastPage = page?.last_page ?? 1;
  const isBehind = page !== undefined && page.current_page > Math.max(1, lastPage);
  useEffect(() => {
    // The last row of the last page was removed.
    if (isBehind) onPage(Math.max(1, lastPage));
  }, [isBehind, lastPage, onPage]);
  useFocusKept(box);
  return (
    <div ref={box} className={styles['box']} tabIndex={-1} role="group" aria-label={texts.list}>
      {page === undefined && error === null && (
        <p className={styles['loading']} role="status">
          <Spinner /> {texts.loading}
        </p>
      )}
      {error !== null && !isFetching && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={[texts.failed, error.message]} />
          <Button variant="secondary" size="sm" onPress={onRetry}>
            {texts.retry}
          </Button>
        </div>
      )}
      {page?.total === 0 && <EmptyLine title={texts.empty} text={texts.emptyHint} />}
      {page !== undefined && page.data.length > 0 && head}
      {page !== undefined && page.data.length > 0 && <ul className={styles['list']}>{page.data.map(children)}</ul>}
      {page !== undefined && page.last_page > 1 && <Pager at={page} onPage={onPage} />}
    </div>
  );
}

/** Moves the focus to the list if the focused row is removed. */
function useFocusKept(box: RefObject<HTMLElement | null>) {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      last.current = target instanceof Element && box.current?.contains(target) === true ? target : null;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, [box]);
  useEffect(() => {
    if (last.current?.isConnected === false && document.activeElement === document.body) box.current?.focus();
  });
}
