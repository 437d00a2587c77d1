/** Headers by which a person may write. */
import { asking } from './ask.ts';

export async function writingHeaders(origin: string, cookie: string): Promise<Record<string, string>> {
  const { get, close } = asking(origin);
  try {
    const { headers } = await get('/sanctum/csrf-cookie', cookie === '' ? {} : { cookie });
    const set = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0] ?? '');
    const token = /XSRF-TOKEN=(.*)/.exec(set.find((line) => line.startsWith('XSRF-TOKEN=')) ?? '')?.[1] ?? '';
    const cookies = [...(cookie === '' ? [] : [cookie]), ...set].join('; ');
    return { cookie: cookies, 'x-xsrf-token': decodeURIComponent(token), 'content-type': 'application/json' };
  } finally {
    close();
  }
}
