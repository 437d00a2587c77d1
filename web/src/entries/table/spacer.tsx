/**
 * Empty space in place of rows that are not rendered. Sets the height through CSSOM, because the
 * CSP allows no style attributes.
 */
import { useLayoutEffect, useRef } from 'react';

export function Spacer({ height }: { readonly height: number }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.style.setProperty('height', `${height}px`);
  }, [height]);
  return <div ref={box} role="presentation" />;
}
