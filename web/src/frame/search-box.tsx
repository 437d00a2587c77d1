/** Enter or the icon opens the results; blank text does nothing (specification §2). */
import { Search } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useMatch, useNavigate } from 'react-router';
import { searchAddress } from '../search/search-path.ts';
import { FRAME_TEXTS as TEXTS } from '../texts/frame.ts';
import { IconButton } from '../ui/icon-button.tsx';
import styles from './search-box.module.css';

export function SearchBox() {
  const navigate = useNavigate();
  const routeQuery = useMatch('/entrySearch/:query')?.params.query ?? '';
  const [text, setText] = useState(routeQuery);
  const [lastQuery, setLastQuery] = useState(routeQuery);
  const input = useRef<HTMLInputElement>(null);
  if (lastQuery !== routeQuery) {
    setLastQuery(routeQuery);
    setText(routeQuery);
  }
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isShortcut =
        (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
      if (!isShortcut || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);

  const search = () => {
    const address = searchAddress({ query: text });
    if (address !== null) void navigate(address);
  };
  return (
    <form
      className={styles['box']}
      role="search"
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
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={TEXTS.search}
        aria-label={TEXTS.search}
        aria-keyshortcuts="Control+K Meta+K"
        autoComplete="off"
        spellCheck={false}
        maxLength={1024}
      />
      <span className={styles['keys']} aria-hidden="true">
        {TEXTS.searchKeys}
      </span>
    </form>
  );
}
