/** The trash, undo, imports and exports. */
import { remove } from '@passwordbroker/core/contract/groups/entry-groups';
import { start } from '@passwordbroker/core/contract/entries/exports';
import { startParts } from '@passwordbroker/core/contract/entries/import-parts';
import { groupPurgePreview, trashPurgePreview } from '@passwordbroker/core/contract/entries/operations';
import { keepassXml } from '../../import/testing/keepass-xml.ts';
import { trash } from '../../operations/testing/vault.ts';
import { callWithProof } from '../../testing/test-proof.ts';
import { type CallRequest, type Requests, type Sending, about, each, sends } from './sending.ts';
import type { World } from './world.ts';

/** Each returns the operation that moved the target to the trash. */
const trashed = {
  async entry({ app, people, g, entryOf }: World) {
    return trash(app.deps, people.Ad, { groupId: g.g, entries: [await entryOf(g.g)] });
  },
  async field({ app, people, g, freshField }: World) {
    return trash(app.deps, people.Ad, { groupId: g.g, field: (await freshField()).f });
  },
  async group({ people, groupLikeG }: World) {
    const { g } = await groupLikeG();
    return (await people.Ad.call(remove, { params: { g } })).operation_id;
  },
};

const onAct = (kind: keyof typeof trashed, json?: object): CallRequest =>
  about(trashed[kind], (operationId) => ({ params: { operationId }, ...(json === undefined ? {} : { json }) }));

/**
 * An import takes a second, so only one caller's import runs. Other callers send a body that is
 * refused after the check of rights: without the file, or with a master password beside a sealed
 * batch.
 */
const CARRIED_OUT_FOR = 'Me by bearer';
const sealedImport: CallRequest = {
  ...each(({ person }) => ({ multipart: formWith({ batch: '{}', master_password: person.masterPassword }) })),
  status: () => 422,
};
const withoutFile: CallRequest = {
  ...each(({ person }) => ({ multipart: formWith({ master_password: person.masterPassword }) })),
  status: () => 422,
};
const fileImport: CallRequest = {
  ...each(({ name, person }) => {
    const multipart = formWith({ master_password: person.masterPassword });
    const xml = keepassXml({ name: 'Root', entries: [{ title: 'Mail', user: 'ada', password: 's3cr3t' }] });
    if (name === CARRIED_OUT_FOR) multipart.append('file', new File([xml], 'keepass.xml'));
    return { multipart };
  }),
  status: ({ name }) => (name === CARRIED_OUT_FOR ? 201 : 422),
};

function formWith(members: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) form.append(name, value);
  return form;
}

const exportOf = ({ g }: World) => ({ scope: { groups: [g.g] }, format: 'kdbx' });

/** Ends the exports of other calls: a person has one at a time. */
const endExports = ({ app }: World) =>
  app.deps.db.transact((tx) => tx.updateTable('exports').set({ state: 'cancelled' }).execute());

async function startedExport(world: World): Promise<string> {
  await endExports(world);
  const { app, people } = world;
  return (await callWithProof(app, await app.signIn(people.Ad), start, { params: {}, body: exportOf(world) }))
    .export_id;
}

const onExport = (json?: object): CallRequest =>
  about(startedExport, (exportId) => ({ params: { exportId }, proof: true, ...(json === undefined ? {} : { json }) }));

/** One part, which is missing: the commit of its owner finds that out. */
async function startedImport({ app, people }: World): Promise<string> {
  return (await (await app.signIn(people.Ad)).call(startParts, { body: { parts: 1, bytes: 1000 } })).import_id;
}

const onImport = (more: () => Sending, status?: number): CallRequest => ({
  ...about(startedImport, (importId) => ({ ...more(), params: { importId, ...more().params } })),
  ...(status === undefined ? {} : { status: () => status }),
});

const partForm = () => {
  const form = new FormData();
  form.append('batch', new Blob(['{}'], { type: 'application/json' }), 'batch');
  return form;
};

export const TRASH_REQUESTS: Requests = {
  'POST B/imports': sends({ json: { parts: 1, bytes: 1000 } }),
  'PUT B/imports/:importId/parts/:part': onImport(() => ({ params: { part: '1' }, multipart: partForm() })),
  'POST B/imports/:importId/commit': onImport(() => ({}), 409),
  'DELETE B/imports/:importId': onImport(() => ({})),
  'POST B/exports': about(endExports, (_ended, _caller, world) => ({ json: exportOf(world), proof: true })),
  'GET B/exports/:exportId/outline': onExport(),
  'POST B/exports/:exportId/releases': onExport({ after: 0, limit: 500 }),
  'POST B/exports/:exportId/finish': onExport({ state: 'done' }),
  'GET B/trash': sends(),
  'GET G/trash': each((_caller, { g }) => ({ params: { g: g.g } })),
  'GET B/operations': sends(),
  'POST B/trash/:operationId/restore · an entry of g': onAct('entry', {}),
  'POST B/trash/:operationId/restore · a field of g': onAct('field', {}),
  'POST B/trash/:operationId/restore · group g': onAct('group', {}),
  'POST B/operations/:operationId/undo · an entry of g': onAct('entry', {}),
  'POST B/operations/:operationId/undo · a field of g': onAct('field', {}),
  'POST B/operations/:operationId/undo · group g': onAct('group', {}),
  'POST B/access/preview · restore-group': about(
    (world) => trashed.group(world),
    (operation_id) => ({
      json: { act: { kind: 'restore-group', operation_id } },
    }),
  ),
  'DELETE B/trash/:operationId · an entry of g': onAct('entry'),
  'DELETE B/trash/:operationId · group g': onAct('group'),
  'GET B/trash/:operationId/purge · an entry of g': onAct('entry'),
  'GET B/trash/:operationId/purge · group g': onAct('group'),
  'GET B/trash/purge': sends(),
  'GET G/trash/purge': each((_caller, { g }) => ({ params: { g: g.g } })),
  'DELETE G/trash': about(
    (world) => trashed.entry(world),
    async (_operationId, _caller, { people, g }) => {
      const { items } = await people.Ad.call(groupPurgePreview, { params: { g: g.g } });
      return { params: { g: g.g }, query: `?items=${items}` };
    },
  ),
  'DELETE B/trash': each(async (caller, { app, groupOf, entryOf }) => {
    if (!caller.isSignedIn) return { query: '?items=1' };
    const groupId = await groupOf(caller.person, 'admin');
    await trash(app.deps, caller.person, { groupId, entries: [await entryOf(groupId)] });
    const { items } = (await caller.send({ path: trashPurgePreview.path })).json<{ items: number }>();
    return { query: `?items=${items}` };
  }),
  'POST B/import · sealed': sealedImport,
  'POST B/import · a file': fileImport,
  'POST /import · sealed': sealedImport,
  'POST /import · a file': withoutFile,
};
