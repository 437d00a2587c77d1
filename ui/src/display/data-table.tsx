import type { ReactNode } from 'react';
import styles from './data-table.module.css';

interface Column {
  readonly id: string;
  readonly title: string;
  /** Its controls line up at the right. */
  readonly isEnd?: boolean;
}

interface DataTableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  /** A class that sets `--columns`, the widths of a grid. */
  readonly layout: string | undefined;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** The table of the administration pages. Grids with roles: on a small screen the cells of a row stand below one another. */
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

/** A row: its children have the role `cell`. */
export function DataRow({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles['row']} role="row">
      {children}
    </div>
  );
}
