import { useEffect, useState } from 'react';

/** true once something has gone on for so many milliseconds; false again as soon as it ends. */
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
