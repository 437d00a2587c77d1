/** Text that gets a name and a tab stop while it scrolls, so that the arrow keys can read it. */
import { type ReactNode, useEffect, useState } from 'react';

interface Props {
  readonly label: string;
  /** Sets the maximum height. */
  readonly className: string | undefined;
  readonly isSecret?: boolean;
  readonly children: ReactNode;
}

export function ScrolledText({ label, className, isSecret = false, children }: Props) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [isLong, setLong] = useState(false);
  // Per text, because a box at full height keeps its size.
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
