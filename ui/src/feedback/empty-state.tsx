import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import skeletonStyles from './skeleton.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** At most one. */
  readonly action?: ReactNode;
  readonly isPageHeading?: boolean;
}

const ROWS = [6, 24, 42] as const;

export function EmptyState({ title, text, action, isPageHeading = false }: EmptyStateProps) {
  const Title = isPageHeading ? 'h1' : 'p';
  return (
    <div className={styles['empty']}>
      <svg className={styles['glyph']} viewBox="0 0 200 56" fill="none" stroke="currentColor" aria-hidden="true">
        {ROWS.map((y, at) => (
          <g key={y} opacity={1 - at * 0.3}>
            <rect x="0.5" y={y - 5.5} width="11" height="11" rx="2" />
            <path d={`M24 ${y}h${88 - at * 20}M150 ${y}h${50 - at * 8}`} strokeWidth="3" strokeLinecap="round" />
          </g>
        ))}
      </svg>
      <Title className={styles['title']} {...(isPageHeading ? { tabIndex: -1 } : {})}>
        {title}
      </Title>
      {text !== undefined && <p className={styles['text']}>{text}</p>}
      {action !== undefined && <div className={styles['actions']}>{action}</div>}
    </div>
  );
}

/** For a list that is one part of a page: a single line where its rows would stand. */
export function EmptyLine({ title, text, action }: Omit<EmptyStateProps, 'isPageHeading'>) {
  return (
    <div className={styles['line']}>
      <p>
        <b>{title}</b> {text}
      </p>
      {action}
    </div>
  );
}

/** Placeholder of a line of text; the parent sets the width. */
export function Skeleton() {
  return <span className={skeletonStyles['skeleton']} aria-hidden="true" />;
}
