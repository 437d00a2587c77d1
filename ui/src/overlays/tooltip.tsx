import { type ReactNode, useState } from 'react';
import styles from './tooltip.module.css';

interface TooltipProps {
  readonly text: string;
  /** For `aria-describedby`. */
  readonly id?: string;
  /** Edge of the control that it aligns with; `end` near the right border. */
  readonly align?: 'center' | 'start' | 'end';
  readonly isHidden?: boolean;
  readonly children: ReactNode;
}

/** Opens on hover and focus, closes on Escape. Hidden from screen readers: the control carries the name. */
export function Tooltip({ text, id, align = 'center', isHidden = false, children }: TooltipProps) {
  const [isDismissed, setDismissed] = useState(false);
  return (
    <span
      className={styles['wrap']}
      role="presentation"
      data-dismissed={isDismissed || isHidden}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setDismissed(true);
      }}
      // A tooltip would cover the effect of the press.
      onPointerDown={() => setDismissed(true)}
      // Stays dismissed while the pointer rests here.
      onBlur={({ currentTarget }) => setDismissed((was) => was && currentTarget.matches(':hover'))}
      onMouseLeave={() => setDismissed(false)}
    >
      {children}
      <span id={id} className={`${styles['tip']} ${styles[align] ?? ''}`} aria-hidden="true">
        {text}
      </span>
    </span>
  );
}
