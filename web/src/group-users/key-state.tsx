/** What is known of a person's key, as a mark beside the name: verified, trusted for now, changed. */
import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from 'lucide-react';
import { TRUST_TEXTS as TEXTS } from '../texts/trust.ts';
import { IconButton } from '../ui/icon-button.tsx';
import type { KeyState } from '../vault/people.ts';
import styles from './key-state.module.css';

interface Props {
  readonly name: string;
  readonly state: KeyState;
  readonly onLook: () => void;
}

export function KeyStateMark({ name, state, onLook }: Props) {
  if (state === 'none') return <span className={styles['text']}>{TEXTS.states.none}</span>;
  const Icon = state === 'verified' ? ShieldCheck : state === 'changed' ? ShieldAlert : ShieldQuestionMark;
  return (
    <span className={styles['mark']} data-state={state}>
      <IconButton
        label={TEXTS.stateOf(name, TEXTS.states[state])}
        tooltip={TEXTS.stateHints[state]}
        icon={<Icon size={16} />}
        onPress={onLook}
      />
    </span>
  );
}
