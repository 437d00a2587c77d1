/** Going back to search results finds them where they were left: a position in memory per entry of the browser's history. */
import { useEffect, useRef, type RefObject } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

const kept = new Map<string, number>();
const MOST = 50;

/** @param isShown whether there is something to scroll */
export function useKeptScroll(box: RefObject<HTMLElement | null>, isShown: boolean): void {
  const { key } = useLocation();
  const isReturn = useNavigationType() === NavigationType.Pop;
  const restored = useRef<string | null>(null);

  useEffect(() => {
    const main = box.current?.closest('main');
    if (main === null || main === undefined || !isShown || restored.current === key) return;
    restored.current = key;
    const top = isReturn ? (kept.get(key) ?? 0) : 0;
    // After the frame, which begins every new page at its top.
    const frame = requestAnimationFrame(() => main.scrollTo(0, top));
    return () => cancelAnimationFrame(frame);
  }, [box, key, isReturn, isShown]);

  useEffect(() => {
    const main = box.current?.closest('main');
    if (main === null || main === undefined || !isShown) return;
    const keep = () => {
      if (restored.current !== key) return;
      kept.delete(key);
      kept.set(key, main.scrollTop);
      const oldest = kept.keys().next().value;
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    };
    main.addEventListener('scroll', keep, { passive: true });
    return () => main.removeEventListener('scroll', keep);
  }, [box, key, isShown]);
}
