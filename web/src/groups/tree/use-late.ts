import { useEffect, useState } from 'react';

/** True after `isOn` has been true for `delay` milliseconds; false as soon as it ends. */
export function useLate(isOn: boolean, delay: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(() => setLate(true), delay);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isOn, delay]);
  return isOn && isLate;
}
