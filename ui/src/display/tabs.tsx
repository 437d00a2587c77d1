import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import styles from './tabs.module.css';
import { Tooltip } from '../overlays/tooltip.tsx';

interface Tab {
  readonly id: string;
  readonly title: string;
  readonly count?: number | undefined;
  /** A reason disables the tab and is its tooltip. */
  readonly whyNot?: string | null;
  readonly content: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Arrows move the focus, Enter and Space choose, because choosing fetches. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const [chosen, setChosen] = useState(tabs[0]?.id);
  const id = useId();
  const active = tabs.find((tab) => tab.id === chosen) ?? tabs[0];

  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('[role=tab]')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = STEPS[event.key];
    const next =
      event.key === 'Home' ? 0 : event.key === 'End' ? buttons.length - 1 : step === undefined ? null : at + step;
    if (next === null) return;
    event.preventDefault();
    buttons[(next + buttons.length) % buttons.length]?.focus();
  };

  return (
    <>
      <div className={styles['tabs']} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move}>
        {tabs.map((tab) => (
          <Reasoned key={tab.id} id={`${id}-${tab.id}-why`} whyNot={tab.whyNot}>
            <button
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              className={styles['tab']}
              aria-selected={tab.id === active?.id}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === active?.id ? 0 : -1}
              aria-disabled={isBarred(tab) || undefined}
              aria-describedby={isBarred(tab) ? `${id}-${tab.id}-why` : undefined}
              onClick={() => {
                if (!isBarred(tab)) setChosen(tab.id);
              }}
            >
              {tab.title}
              {tab.count !== undefined && <span className={styles['count']}>{tab.count}</span>}
            </button>
          </Reasoned>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" className={styles['panel']} aria-labelledby={`${id}-${active?.id ?? ''}`}>
        {active?.content}
      </div>
    </>
  );
}

const isBarred = ({ whyNot = null }: Tab) => whyNot !== null;

interface ReasonedProps {
  readonly id: string;
  readonly whyNot: string | null | undefined;
  readonly children: ReactNode;
}

function Reasoned({ id, whyNot = null, children }: ReasonedProps) {
  if (whyNot === null) return children;
  return (
    <Tooltip text={whyNot} id={id}>
      {children}
    </Tooltip>
  );
}
