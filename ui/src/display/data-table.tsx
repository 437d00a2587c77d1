import type { ReactNode } from 'react';
import styles from './data-table.module.css';

interface Column {
  readonly id: string;
  readonly title: string;
  readonly isEnd?: boolean;
}

interface DataTableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  /** A class that sets the grid's `--columns`. */
  readonly layout: string | undefined;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** Table made of grids with roles, so that cells stack on small screens. */
export function DataTable({ label, columns, layout = '', isBusy = false, children }: DataTableProps) {
  return (
    <div className={`${styles['table']} ${layout}`} role="table" aria-label={label} aria-busy={isBusy || undefined}>
      <div role="rowgroup">
        <div className={`${styles['row']} ${styles['head']}`} role="row">
          {columns.map(({ id, title, isEnd = false }) => (
            <div key={id} role="columnheader" className={isEnd ? styles['end'] : undefined}>
              {title}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup">{children}</div>
    </div>
  );
}

/** Its children need the role `cell`. */
export function DataRow({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles['row']} role="row">
      {children}
    </div>
  );
}
