import { act, cleanup, render, screen } from '@testing-library/react';
import { type ComponentType, Suspense, lazy } from 'react';
import { Link, Route, Routes } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { PlaceRouter, useWay } from './place-router.tsx';

afterEach(() => {
  cleanup();
  history.replaceState(null, '', '/');
});

let arrive: (code: { default: ComponentType }) => void = () => undefined;
const Late = lazy(() => new Promise<{ default: ComponentType }>((resolve) => (arrive = resolve)));

function Sign() {
  const { pathname, isOnTheWay } = useWay();
  return <p role="status">{isOnTheWay ? `on the way to ${pathname}` : `at ${pathname}`}</p>;
}

const said = () => screen.getByRole('status').textContent;

test('from the press on it is known where the person goes, and the former page stays until the next one can be shown', async () => {
  render(
    <PlaceRouter>
      <Sign />
      <Link to="/late">Late</Link>
      <Suspense fallback={null}>
        <Routes>
          <Route path="/" element={<h1>First</h1>} />
          <Route path="/late" element={<Late />} />
        </Routes>
      </Suspense>
    </PlaceRouter>,
  );
  expect(said()).toBe('at /');
  act(() => screen.getByRole('link').click());
  expect(said()).toBe('on the way to /late');
  screen.getByRole('heading', { name: 'First' });
  await act(async () => {
    arrive({ default: () => <h1>Second</h1> });
    await Promise.resolve();
  });
  await screen.findByRole('heading', { name: 'Second' });
  expect(said()).toBe('at /late');
  expect(screen.queryByRole('heading', { name: 'First' })).toBeNull();
});

test('going back is told as well', async () => {
  history.pushState(null, '', '/one');
  history.pushState(null, '', '/two');
  render(
    <PlaceRouter>
      <Sign />
    </PlaceRouter>,
  );
  expect(said()).toBe('at /two');
  act(() => history.back());
  await screen.findByText('at /one');
});
