import { useEffect, useState } from 'react';

/** The text once it has not changed for `afterMs`; blank text at once. */
export function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return text === '' ? '' : settled;
}
