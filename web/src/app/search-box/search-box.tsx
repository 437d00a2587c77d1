/**
 * Down enters the suggestions, Enter follows the chosen one, Escape closes them, then leaves the box. Ctrl+C,
 * Ctrl+B, Ctrl+O and Alt+T act on the chosen or first entry; browsers keep Ctrl+T for themselves
 * (docs/spec/product.md §2).
 */
import { Search } from 'lucide-react';
import {
  type ComponentType,
  type FormEvent,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useMatch, useNavigate } from 'react-router';
import { searchAddress } from '../../search/search-path.ts';
import { FRAME_TEXTS as TEXTS } from '../../texts/frame.ts';
import { IconButton } from '@passwordbroker/ui/actions/button';
import styles from './search-box.module.css';
import { entryToUse, type HeaderAction, type Suggestion } from '../../search/find-suggestions.ts';
import { useTakePart, type EntryToUse, type EntryPart } from '../../entries/entry-parts.ts';
import { TEXT_FIELDS } from '../../help/help.tsx';
import { activityLog } from '../../activity-log/activity-log.ts';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import type { ActionDialogProps } from '../../search/action-dialog.tsx';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import { toggleTheme } from '../theme/theme.tsx';
import { loadChunk, lazyPart } from '../../lib/chunk.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { SuggestionListProps } from '../../search/suggestion-list.tsx';
import { SUGGESTION_TEXTS } from '../../texts/entries/search.ts';

interface Props {
  readonly onLog: () => void;
  readonly onHelp: () => void;
}

export function SearchBox({ onLog, onHelp }: Props) {
  const navigate = useNavigate();
  const routeQuery = useMatch('/entrySearch/:query')?.params.query ?? '';
  const [text, setText] = useState(routeQuery);
  const [lastQuery, setLastQuery] = useState(routeQuery);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const steps = useSuggestionSteps();
  /** False from each opening until a key changes the text: then the list is that of an empty box. */
  const [isTyped, setTyped] = useState(false);
  /** Pressed before the entries arrived; any other key or text drops it. */
  const wanted = useRef<EntryPart | null>(null);
  const { open } = steps;
  const openFresh = useCallback(() => {
    wanted.current = null;
    setTyped(false);
    open();
  }, [open]);
  /** Whether the shortcut, and not the person, selected the text. */
  const isSelectedByKeys = useRef(false);
  const openByKeys = useCallback(() => {
    isSelectedByKeys.current = true;
    openFresh();
  }, [openFresh]);
  const leave = useSearchFocus(input, openByKeys);
  const actions = useHeaderActions({ onLog, onHelp });
  const takePart = useTakePart();
  if (lastQuery !== routeQuery) {
    setLastQuery(routeQuery);
    setText(routeQuery);
  }

  const search = () => {
    const address = searchAddress({ query: text });
    if (address === null) {
      input.current?.focus();
      openFresh();
      return;
    }
    steps.close();
    void navigate(address);
  };
  const choose = (suggestion: (typeof steps.shown)[number]) => {
    steps.close();
    setText(routeQuery);
    actions.follow(suggestion);
  };
  const { show, close } = steps;
  const act = useCallback(
    (entry: EntryToUse, part: EntryPart) => {
      wanted.current = null;
      close();
      void takePart(entry, part);
    },
    [close, takePart],
  );
  const showRows = useCallback(
    (rows: readonly Suggestion[]) => {
      show(rows);
      const entry = entryToUse(rows, null);
      if (wanted.current !== null && entry !== null) act(entry, wanted.current);
    },
    [show, act],
  );
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    wanted.current = null;
    if (event.shiftKey) isSelectedByKeys.current = false;
    const part = partOf(event, isTyped || !isSelectedByKeys.current);
    if (part !== null && steps.isOpen) {
      event.preventDefault();
      const entry = entryToUse(steps.shown, steps.active?.id ?? null);
      if (entry !== null) act(entry, part);
      else if (steps.active === null) wanted.current = part;
      return;
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      steps.step(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter' && steps.active !== null) {
      event.preventDefault();
      choose(steps.active);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      const isStaying = steps.isOpen && isTyped && text.trim() !== '';
      steps.close();
      if (!isStaying) leave();
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
          wanted.current = null;
          setTyped(true);
          steps.open();
        }}
        onPointerDown={() => (isSelectedByKeys.current = false)}
        onClick={() => {
          if (!steps.isOpen) openFresh();
        }}
        onKeyDown={press}
        onBlur={steps.close}
        placeholder={TEXTS.search}
        aria-label={TEXTS.search}
        aria-keyshortcuts="Control+K Meta+K /"
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
            query={isTyped ? text : ''}
            activeId={steps.active?.id ?? null}
            onShown={showRows}
            onChoose={choose}
            onPart={act}
          />
        )}
        {actions.dialog !== null && <ActionDialog action={actions.dialog} onClose={actions.closeDialog} />}
      </Suspense>
    </form>
  );
}

const PART_KEYS: Readonly<Record<string, EntryPart>> = { c: 'password', b: 'login', o: 'link' };

/** null also for Ctrl+C while text is selected that the person may want (`isOwn`): it copies that text. */
function partOf(event: KeyboardEvent<HTMLInputElement>, isOwn: boolean): EntryPart | null {
  const { ctrlKey, metaKey, altKey, shiftKey, code, key, currentTarget: box } = event;
  if (shiftKey) return null;
  // On a Mac Option+T types another character.
  if (altKey) return code === 'KeyT' && !ctrlKey && !metaKey ? 'code' : null;
  const part = ctrlKey || metaKey ? (PART_KEYS[key.toLowerCase()] ?? null) : null;
  return part === 'password' && isOwn && box.selectionStart !== box.selectionEnd ? null : part;
}

interface SuggestionSteps {
  readonly isOpen: boolean;
  readonly shown: readonly Suggestion[];
  /** Null while the cursor is in the box. */
  readonly active: Suggestion | null;
  readonly open: () => void;
  readonly close: () => void;
  readonly show: (rows: readonly Suggestion[]) => void;
  /** Opens a closed list. Up from the first suggestion returns to the box. */
  readonly step: (by: 1 | -1) => void;
}

function useSuggestionSteps(): SuggestionSteps {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<readonly Suggestion[]>([]);
  const [activeId, setActiveId] = useState<string | null>(null);
  const at = shown.findIndex(({ id }) => id === activeId);
  return {
    isOpen,
    shown,
    active: isOpen ? (shown[at] ?? null) : null,
    open: useCallback(() => {
      setOpen(true);
      setActiveId(null);
    }, []),
    close: useCallback(() => {
      setOpen(false);
      setActiveId(null);
    }, []),
    show: useCallback((rows: readonly Suggestion[]) => setShown(rows), []),
    step: (by) => {
      if (!isOpen) {
        if (by === 1) setOpen(true);
        return;
      }
      const next = at === -1 && by === -1 ? -1 : Math.min(at + by, shown.length - 1);
      setActiveId(shown[next]?.id ?? null);
    },
  };
}

function useHeaderActions({ onLog, onHelp }: Props) {
  const navigate = useNavigate();
  const masterPassword = useMasterPassword();
  const [dialog, setDialog] = useState<ActionDialogProps['action'] | null>(null);
  const actions: Readonly<Record<HeaderAction, () => void>> = {
    'new login': () => setDialog('new login'),
    'add tree': () => setDialog('add tree'),
    import: () => setDialog('import'),
    theme: toggleTheme,
    unlock: masterPassword.open,
    lock: () => {
      masterPassword.lock();
      activityLog.add(MASTER_PASSWORD_TEXTS.locked);
    },
    log: onLog,
    help: onHelp,
  };
  return {
    dialog,
    closeDialog: () => setDialog(null),
    follow: ({ target }: Suggestion) => {
      if ('action' in target) actions[target.action]();
      else void navigate(target.address);
    },
  };
}

/**
 * Ctrl+K, Cmd+K, and `/` outside text fields, focus the search box and open its list.
 * @param onOpen a stable function
 * @returns a function that gives the focus back
 */
function useSearchFocus(input: RefObject<HTMLInputElement | null>, onOpen: () => void): () => void {
  const before = useRef<Element | null>(null);
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented } = event;
      const isText = target instanceof Element && target.closest(TEXT_FIELDS) !== null;
      // Some keyboards need Shift for the slash.
      const isShortcut =
        ctrlKey || metaKey
          ? !altKey && !shiftKey && key.toLowerCase() === 'k'
          : key === '/' && !altKey && !isText && !defaultPrevented;
      if (!isShortcut || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      if (document.activeElement !== input.current) before.current = document.activeElement;
      input.current?.focus();
      input.current?.select();
      onOpen();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, [input, onOpen]);
  return () => {
    const place = before.current;
    before.current = null;
    input.current?.blur();
    if (place instanceof HTMLElement && place.isConnected && place !== document.body) place.focus();
    else document.querySelector('main')?.focus({ preventScroll: true });
  };
}

/** If loading fails, the box still searches, and the failure is only logged. */
const SuggestionList = lazy(async (): Promise<{ default: ComponentType<SuggestionListProps> }> => {
  try {
    const part = await loadChunk('SuggestionList', () => import('../../search/suggestion-list.tsx'));
    return { default: part.SuggestionList };
  } catch (failure) {
    activityLog.add(SUGGESTION_TEXTS.failed(reasonOf(failure)), { isFailure: true });
    return { default: () => null };
  }
});

const ActionDialog = lazyPart('ActionDialog', () => import('../../search/action-dialog.tsx'));
