/**
 * SA6: what a person waits for while programs open 1,000 values with one service account, 16 of them at a time; asked for: a p99
 * of at most three times the quiet one. Programs, person and server share one process, so this is more than a server alone shows.
 * `npx tsx bench/server/service-crowd.bench.ts`
 */
import { listAll } from '@passwordbroker/core/contract/groups/entry-groups';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { sharing } from '../../server/src/members/testing/sharing.ts';
import { createSealedPlace, sealedField } from '../../server/src/testing/sealed-place.ts';
import { startTestApp } from '../../server/src/testing/test-app.ts';
import { callWithProof } from '../../server/src/testing/test-proof.ts';
import { createTestService } from '../../server/src/testing/test-service.ts';
import { percentile, printTable } from '../tools/table.ts';

const READS = 1000;
const AT_ONCE = 16;

const app = await startTestApp({ start: Date.now() });
try {
  const ada = await app.signUp('ada');
  const place = await createSealedPlace(ada, { name: 'Ops' });
  const service = await createTestService(app, ada, 'deploy');
  await sharing(app).add(ada, place.g, service, 'member');
  const content = { type: 'password', title: 'db', login: 'root', value: utf8('s3cr3t') } as const;
  const { field_id } = await ada.call(fields.create, { params: place, body: await sealedField(place, content) });
  const client = app.guest();
  const request = client.request.bind(client);
  client.request = (sent) =>
    request({ ...sent, headers: { ...sent.headers, authorization: `Bearer ${service.bearer}` } });
  const program = Object.assign(client, service);
  const body = { fields: [{ entry_group_id: place.g, entry_id: place.e, field_id }], purpose: 'run', label: 'job' };

  const ask = async (into: number[]) => {
    const began = performance.now();
    await ada.call(listAll);
    into.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const quiet: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < 300; round += 1) await ask(quiet);
  let left = READS;
  const read = async () => {
    while ((left -= 1) >= 0) await callWithProof(app, program, fields.release, { params: {}, body });
  };
  const programs = Promise.all(Array.from({ length: AT_ONCE }, read));
  while (left > 0) await ask(busy);
  await programs;
  const row = (share: number) => {
    const [calm, crowded] = [percentile(quiet, share), percentile(busy, share)];
    return { share: `p${share * 100}`, 'quiet (ms)': calm, 'beside 1,000 reads (ms)': crowded, ratio: crowded / calm };
  };
  printTable(`A person beside a service account, ${busy.length} calls`, [row(0.5), row(0.95), row(0.99)]);
} finally {
  await app.stop();
}
