/** How to make each call of the table, by its name there. */
import type { TestRequest } from '../../testing/test-client.ts';
import { BACKUP_REQUESTS } from './backup-requests.ts';
import type { Caller } from './callers.ts';
import { FACTOR_REQUESTS } from './factor-requests.ts';
import { FIELD_REQUESTS } from './field-requests.ts';
import { GROUP_REQUESTS } from './group-requests.ts';
import { IDENTITY_REQUESTS } from './identity-requests.ts';
import { OFFLINE_REQUESTS } from './offline-requests.ts';
import { PEOPLE_REQUESTS } from './people-requests.ts';
import type { Sending, Requests } from './sending.ts';
import type { TableCall } from './table.ts';
import { SERVICE_REQUESTS } from './service-requests.ts';
import { TRASH_REQUESTS } from './trash-requests.ts';

export const REQUESTS: Requests = {
  ...IDENTITY_REQUESTS,
  ...FACTOR_REQUESTS,
  ...PEOPLE_REQUESTS,
  ...GROUP_REQUESTS,
  ...FIELD_REQUESTS,
  ...TRASH_REQUESTS,
  ...OFFLINE_REQUESTS,
  ...BACKUP_REQUESTS,
  ...SERVICE_REQUESTS,
};

/** The request of one caller, with the proof it needs. */
export async function requestOf(call: TableCall, caller: Caller, sending: Sending, now: number): Promise<TestRequest> {
  const { params = {}, query = '', headers = {}, proof = false, ...rest } = sending;
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? `no-${name}`) + query;
  const request = { method: call.method, path, ...rest };
  return { ...request, headers: { ...headers, ...(proof ? await caller.proofFor(request, now) : {}) } };
}
