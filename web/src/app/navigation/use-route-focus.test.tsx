import { cleanup, render, screen } from '@testing-library/react';
import { useLayoutEffect, useRef } from 'react';
import { createBrowserRouter, Link, Outlet, RouterProvider } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { useRouteFocus } from './navigation.tsx';

afterEach(() => {
  cleanup();
  history.replaceState(null, '', '/');
});

/** The focused elements when a page first renders. */
let found: string[] = [];

function Page({ title }: { readonly title: string }) {
  useLayoutEffect(() => queueMicrotask(() => found.push(document.activeElement?.textContent ?? '')), [title]);
  return <h1>{title}</h1>;
}

function Frame() {
  const main = useRef<HTMLElement>(null);
  useRouteFocus(main);
  return (
    <main ref={main} tabIndex={-1}>
      <Link to="/second">On</Link>
      <Outlet />
    </main>
  );
}

test('focuses the heading of the next page as soon as it renders, but not that of the first page', async () => {
  found = [];
  const children = [
    { path: '/', element: <Page title="First" /> },
    { path: '/second', element: <Page title="Second" /> },
  ];
  render(<RouterProvider router={createBrowserRouter([{ Component: Frame, children }])} />);
  await Promise.resolve();
  expect([document.activeElement, found.length]).toEqual([document.body, 1]);
  // Not within `act`, which would run later browser work at once.
  const arrival = screen.findByRole('heading', { name: 'Second' });
  screen.getByRole('link').click();
  await arrival;
  expect(found.slice(1)).toEqual(['Second']);
});
