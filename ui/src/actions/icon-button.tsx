import type { ReactNode, Ref } from 'react';
import styles from './icon-button.module.css';
import { Spinner } from '../feedback/spinner.tsx';
import { Tooltip } from '../overlays/tooltip.tsx';

interface IconButtonProps {
  /** Tooltip and accessible name. */
  readonly label: string;
  readonly icon: ReactNode;
  /** Replaces the label in the tooltip. */
  readonly tooltip?: string;
  /** A reason disables the button and is its tooltip. */
  readonly whyNot?: string | null;
  readonly pressed?: boolean;
  readonly isExpanded?: boolean;
  readonly isDisabled?: boolean;
  readonly busy?: boolean;
  readonly size?: 'md' | 'lg';
  readonly tone?: 'plain' | 'danger';
  readonly align?: 'center' | 'start' | 'end';
  readonly className?: string;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onPress?: () => void;
}

export function IconButton(props: IconButtonProps) {
  const { label, icon, whyNot = null, pressed, isExpanded, isDisabled = false, busy = false, ref, onPress } = props;
  const tooltip = whyNot ?? props.tooltip ?? label;
  const { size = 'md', tone = 'plain', align = 'center', className } = props;
  const isOff = isDisabled || busy || whyNot !== null;
  const classes = [styles['button'], styles[size], styles[tone], className];
  return (
    <Tooltip text={tooltip} align={align} isHidden={isExpanded === true}>
      <button
        ref={ref}
        type="button"
        className={classes.filter(Boolean).join(' ')}
        aria-label={tooltip === label ? label : `${label}. ${tooltip}`}
        aria-pressed={pressed}
        aria-expanded={isExpanded}
        aria-disabled={isOff || undefined}
        aria-busy={busy || undefined}
        onClick={() => {
          if (!isOff) onPress?.();
        }}
      >
        {busy ? <Spinner /> : icon}
      </button>
    </Tooltip>
  );
}
