/**
 * Enter or the icon opens the results; blank text does nothing (docs/spec/product.md §2). Below it are suggestions: Down enters
 * them, Enter goes to the one that is chosen, Escape closes them, a second one leaves the box.
 */
import { Search } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, Suspense, useId, useRef, useState } from 'react';
import { useMatch, useNavigate } from 'react-router';
import { searchAddress } from '../search/search-path.ts';
import { FRAME_TEXTS as TEXTS } from '../texts/frame.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { ActDialog, SuggestionList } from './search-box-parts.ts';
import { useSearchFocus } from './search-box-focus.ts';
import { useHeaderActs } from './search-box-acts.ts';
import { useSuggestionSteps } from './search-box-steps.ts';
import styles from './search-box.module.css';

interface Props {
  readonly onLog: () => void;
  readonly onKeys: () => void;
}

export function SearchBox({ onLog, onKeys }: Props) {
  const navigate = useNavigate();
  const routeQuery = useMatch('/entrySearch/:query')?.params.query ?? '';
  const [text, setText] = useState(routeQuery);
  const [lastQuery, setLastQuery] = useState(routeQuery);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const leave = useSearchFocus(input);
  const steps = useSuggestionSteps();
  const acts = useHeaderActs({ onLog, onKeys });
  if (lastQuery !== routeQuery) {
    setLastQuery(routeQuery);
    setText(routeQuery);
  }

  const search = () => {
    steps.close();
    const address = searchAddress({ query: text });
    if (address !== null) void navigate(address);
  };
  const choose = (suggestion: (typeof steps.shown)[number]) => {
    steps.close();
    setText(routeQuery);
    acts.follow(suggestion);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      steps.step(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter' && steps.active !== null) {
      event.preventDefault();
      choose(steps.active);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (steps.isOpen) steps.close();
      else leave();
    }
  };
  const isShown = steps.isOpen && steps.shown.length > 0;
  return (
    <form
      className={styles['box']}
      role="search"
      aria-label={TEXTS.search}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        search();
      }}
    >
      <IconButton
        label={TEXTS.doSearch}
        icon={<Search size={16} />}
        align="start"
        className={styles['go'] ?? ''}
        onPress={search}
      />
      <input
        ref={input}
        type="text"
        role="combobox"
        enterKeyHint="search"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          if (event.target.value.trim() === '') steps.close();
          else steps.open();
        }}
        onKeyDown={press}
        onBlur={steps.close}
        placeholder={TEXTS.search}
        aria-label={TEXTS.search}
        aria-keyshortcuts="Control+K Meta+K"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? list : undefined}
        aria-activedescendant={isShown && steps.active !== null ? `${list}-${steps.active.id}` : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={1024}
      />
      <span className={styles['keys']} aria-hidden="true">
        {TEXTS.searchKeys}
      </span>
      <Suspense fallback={null}>
        {steps.isOpen && (
          <SuggestionList
            id={list}
            query={text}
            activeId={steps.active?.id ?? null}
            onShown={steps.show}
            onChoose={choose}
          />
        )}
        {acts.dialog !== null && <ActDialog act={acts.dialog} onClose={acts.closeDialog} />}
      </Suspense>
    </form>
  );
}
