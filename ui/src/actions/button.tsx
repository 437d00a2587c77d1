import { type ReactNode, type Ref, useId } from 'react';
import styles from './button.module.css';
import { Spinner } from '../feedback/spinner.tsx';
import { Tooltip } from '../overlays/tooltip.tsx';
import iconStyles from './icon-button.module.css';

interface ButtonProps {
  readonly children: ReactNode;
  /** Longer accessible name; it begins with the visible one. */
  readonly label?: string;
  readonly variant?: 'primary' | 'secondary' | 'ghost' | 'danger-quiet' | 'danger';
  readonly size?: 'sm' | 'md' | 'lg';
  readonly type?: 'button' | 'submit';
  readonly form?: string;
  /** Shows a spinner and `busyLabel`; presses do nothing. */
  readonly busy?: boolean;
  readonly busyLabel?: string;
  readonly icon?: ReactNode;
  readonly isDisabled?: boolean;
  /** A reason disables the button and is its tooltip. */
  readonly whyNot?: string | null;
  readonly isBlock?: boolean;
  readonly autoFocus?: boolean;
  /** For a button that opens and closes the element `id`. */
  readonly expanded?: { readonly isOpen: boolean; readonly id: string };
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onPress?: () => void;
}

/** Disabled and busy buttons stay in the tab order, so that the focus is not lost. */
export function Button(props: ButtonProps) {
  const { children, variant = 'secondary', size = 'md', type = 'button', form, busy = false, busyLabel, icon } = props;
  const { isDisabled = false, whyNot = null, isBlock = false, autoFocus, label, expanded, ref, onPress } = props;
  const reason = useId();
  const isOff = isDisabled || busy || whyNot !== null;
  const classes = [styles['button'], styles[variant], styles[size], busy && styles['busy'], isBlock && styles['block']];
  const button = (
    <button
      ref={ref}
      type={type}
      form={form}
      className={classes.filter(Boolean).join(' ')}
      aria-label={busy ? undefined : label}
      aria-disabled={isOff || undefined}
      aria-describedby={whyNot === null ? undefined : reason}
      autoFocus={autoFocus}
      aria-expanded={expanded?.isOpen}
      aria-controls={expanded?.isOpen === true ? expanded.id : undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onPress?.();
      }}
    >
      {busy ? <Spinner /> : icon !== undefined && <span className={styles['icon']}>{icon}</span>}
      {busy ? (busyLabel ?? children) : children}
    </button>
  );
  if (whyNot === null) return button;
  return (
    <Tooltip text={whyNot} id={reason}>
      {button}
    </Tooltip>
  );
}

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
  const classes = [iconStyles['button'], iconStyles[size], iconStyles[tone], className];
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
