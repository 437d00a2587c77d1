/** Many people sign in at once: the rate beside bare password derivations, and the latency of reveals meanwhile. */
import { writingHeaders } from './ask.ts';
import { bareDerivations } from './limits.ts';
import { load } from './load.ts';
import { atMost, atLeast, rate, time } from './measure.ts';
import type { Measure } from './measure.ts';
import { ACCOUNT_PASSWORD } from './organisation.ts';
import type { Organisation } from './organisation.ts';
import { revealRequests } from './reveals.ts';
import { storm, wireOf } from './storm.ts';

const SECONDS = 6;
const AT_ONCE = 8;
const TURNS = 8;
const TURN_SECONDS = 3;
const WARM_UP_SECONDS = 20;

interface Surroundings {
  readonly origin: string;
  readonly organisation: Organisation;
}

export async function measureLogins({ origin, organisation }: Surroundings): Promise<Measure[]> {
  const { logins, derivations } = await inTurn(origin, organisation);
  const requests = revealRequests(organisation);
  const reveals = () => load({ origin, connections: 4, seconds: SECONDS, requests });
  const quiet = await reveals();
  const [busy] = await Promise.all([reveals(), signIns(origin, organisation, SECONDS)]);
  const multiple = busy.p99 / quiet.p99;
  return [
    rate(
      'login, 8 at once',
      logins,
      { text: 'bare derivations', aSecond: derivations },
      { goal: atLeast(logins / derivations, 0.8) },
    ),
    time(
      'reveal during a storm of logins, 4 connections: p99',
      busy.p99,
      { text: 'without the storm', ms: quiet.p99 },
      { goal: atMost(multiple, 4) },
    ),
  ];
}

/**
 * Logins and bare derivations per second, measured alternately because a shared machine changes its
 * speed.
 */
async function inTurn(origin: string, organisation: Organisation) {
  // Warms up the compiler.
  await signIns(origin, organisation, WARM_UP_SECONDS);
  await rest();
  const [logins, derivations]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    derivations.push(await bareDerivations(1));
    logins.push(await signIns(origin, organisation, TURN_SECONDS));
    await rest();
    derivations.push(await bareDerivations(1));
  }
  return { logins: mean(logins), derivations: mean(derivations) };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Lets work after the responses end before the next measurement. */
const rest = () => new Promise((resolve) => setTimeout(resolve, 500));

/** Logins a second of different people. */
async function signIns(origin: string, { people }: Organisation, seconds: number): Promise<number> {
  const headers = await writingHeaders(origin, '');
  const wires = people.map(({ email }) =>
    wireOf(origin, {
      path: '/identity/api/login',
      headers,
      body: JSON.stringify({ email, password: ACCOUNT_PASSWORD }),
    }),
  );
  // Each person uses one connection.
  const requests = Array.from({ length: AT_ONCE }, (_, connection) =>
    wires.filter((_wire, at) => at % AT_ONCE === connection),
  );
  return storm({ origin, seconds, requests });
}
