import { ChevronLeft, ChevronRight } from 'lucide-react';
import { UI_TEXTS as TEXTS } from '../texts.ts';
import styles from './pager.module.css';

interface PagerProps {
  readonly at: {
    readonly current_page: number;
    readonly last_page: number;
    readonly per_page: number;
    readonly total: number;
  };
  readonly onPage: (page: number) => void;
}

/** First, last and adjacent pages; null is a gap. */
export function pagesAround(page: number, lastPage: number): (number | null)[] {
  const wanted = [1, page - 1, page, page + 1, lastPage].filter((one) => one >= 1 && one <= lastPage);
  const pages = [...new Set(wanted)].sort((a, b) => a - b);
  return pages.flatMap((one, at) => (at > 0 && one - (pages[at - 1] ?? one) > 1 ? [null, one] : [one]));
}

export function Pager({ at, onPage }: PagerProps) {
  const { current_page: page, last_page: lastPage, per_page: perPage, total } = at;
  const from = (page - 1) * perPage + 1;
  return (
    <nav className={styles['pager']} aria-label={TEXTS.pages}>
      <span>{TEXTS.shown(Math.min(from, total), Math.min(from + perPage - 1, total), total)}</span>
      <span className={styles['space']} />
      <button
        type="button"
        className={styles['page']}
        aria-label={TEXTS.previousPage}
        aria-disabled={page <= 1 || undefined}
        onClick={() => page > 1 && onPage(page - 1)}
      >
        <ChevronLeft size={14} aria-hidden="true" />
      </button>
      {pagesAround(page, lastPage).map((one, place) =>
        one === null ? (
          <span key={`gap-${place}`} aria-hidden="true">
            …
          </span>
        ) : (
          <button
            key={one}
            type="button"
            className={styles['page']}
            aria-label={TEXTS.page(one)}
            aria-current={one === page ? 'page' : undefined}
            onClick={() => onPage(one)}
          >
            {one}
          </button>
        ),
      )}
      <button
        type="button"
        className={styles['page']}
        aria-label={TEXTS.nextPage}
        aria-disabled={page >= lastPage || undefined}
        onClick={() => page < lastPage && onPage(page + 1)}
      >
        <ChevronRight size={14} aria-hidden="true" />
      </button>
    </nav>
  );
}
