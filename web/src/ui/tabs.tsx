import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import styles from './tabs.module.css';

interface Tab {
  readonly id: string;
  readonly title: string;
  readonly count?: number | undefined;
  readonly content: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Arrows move the focus, Enter and Space choose: choosing fetches, so it is not done in passing (design brief §6). */
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
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            className={styles['tab']}
            aria-selected={tab.id === active?.id}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === active?.id ? 0 : -1}
            onClick={() => setChosen(tab.id)}
          >
            {tab.title}
            {tab.count !== undefined && <span className={styles['count']}>{tab.count}</span>}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" className={styles['panel']} aria-labelledby={`${id}-${active?.id ?? ''}`}>
        {active?.content}
      </div>
    </>
  );
}
