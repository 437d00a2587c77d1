import { act, cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { usePendingPath } from './navigation.tsx';

afterEach(cleanup);

function Frame() {
  return (
    <>
      <p role="status">{usePendingPath()}</p>
      <Link to="/late">Late</Link>
      <Outlet />
    </>
  );
}

test('returns the next path from the click on, while the current page stays until the code has loaded', async () => {
  let arrive = () => undefined as void;
  const router = createMemoryRouter([
    {
      Component: Frame,
      children: [
        { path: '/', element: <h1>First</h1> },
        {
          path: '/late',
          lazy: async () => {
            await new Promise<void>((resolve) => (arrive = resolve));
            return { element: <h1>Second</h1> };
          },
        },
      ],
    },
  ]);
  render(<RouterProvider router={router} />);
  const shown = () => [screen.getByRole('status').textContent, screen.getByRole('heading').textContent];
  expect(shown()).toEqual(['/', 'First']);
  await act(async () => screen.getByRole('link').click());
  expect(shown()).toEqual(['/late', 'First']);
  await act(async () => arrive());
  expect(shown()).toEqual(['/late', 'Second']);
  await act(() => router.navigate(-1));
  expect(shown()).toEqual(['/', 'First']);
});
