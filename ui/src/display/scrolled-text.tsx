/** Text that scrolls in itself where it is long: there it has a name and a place in the order of the keyboard, so that the arrow keys read it to its end. */
import { type ReactNode, useEffect, useState } from 'react';

interface Props {
  /** What it is called while it scrolls. */
  readonly label: string;
  /** Says how high it may be. */
  readonly className: string | undefined;
  readonly isSecret?: boolean;
  readonly children: ReactNode;
}

export function ScrolledText({ label, className, isSecret = false, children }: Props) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [isLong, setLong] = useState(false);
  // Asked anew with every text: what is in a box of full height does not change its size.
  useEffect(() => {
    if (box === null) return undefined;
    const observer = new ResizeObserver(() => setLong(box.scrollHeight > box.clientHeight));
    observer.observe(box);
    return () => observer.disconnect();
  }, [box, children]);
  return (
    <div
      ref={setBox}
      className={className}
      data-secret={isSecret || undefined}
      {...(isLong ? { role: 'group', tabIndex: 0, 'aria-label': label } : {})}
    >
      {children}
    </div>
  );
}
