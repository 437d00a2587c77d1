import { useLayoutEffect, useRef } from 'react';

/** Empty space for rows that are not rendered. Set through CSSOM: the CSP allows no style attributes. */
export function Spacer({ height }: { readonly height: number }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.style.setProperty('height', `${height}px`);
  }, [height]);
  return <div ref={box} role="presentation" />;
}
