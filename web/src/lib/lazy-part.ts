/** A component of a part of the client that comes when it is first drawn. */
import { type ComponentType, lazy } from 'react';
import { loadChunk } from './chunk.ts';
import type { Part } from './part.ts';

/** What is here already is drawn at once: where React has shown something in place of a component it goes on showing it for 300 ms, however soon that comes. */
export const lazyPart = <Name extends string>(from: Part<Record<Name, ComponentType>>, name: Name) =>
  lazy(() => {
    const here = from.here();
    return here === undefined
      ? loadChunk(name, from.load).then((module) => ({ default: module[name] }))
      : atOnce({ default: here[name] });
  });

/** React takes any thenable, and the answer of one that has it without asking again; a promise would answer a turn later, when something else is shown already. */
// oxlint-disable-next-line unicorn/no-thenable -- being one is all it is for: nothing but React ever sees it
const atOnce = <T>(value: T) => ({ then: (resolve: (value: T) => void) => resolve(value) }) as Promise<T>;
