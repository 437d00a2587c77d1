import { headText } from '../audit/chain/links-and-checkpoints.ts';
import type { ChainHead } from '../audit/chain/links-and-checkpoints.ts';
import { verifyChain } from '../audit/chain/verify-chain.ts';
import type { ChainReport, ChainFinding } from '../audit/chain/verify-chain.ts';
import { openToRead } from '../db/open.ts';
import { EXIT, UsageError } from './command.ts';
import type { Command } from './command.ts';

export const auditVerify: Command = {
  summary: 'Checks the chain of the audit log and names rows that were edited, removed or moved.',
  details: [
    'Rows that wait for their seal, normally those of the last second, are counted: nothing',
    'protects them yet. Whether the end of the chain was cut off, or all of it written anew,',
    'only shows against a head from the server’s log output, a syslog or a webhook.',
    'If older rows were removed (log_months), the checkpoint must be signed, by one of',
    'the keys given with --key, which were published with the heads.',
  ],
  args: [],
  options: {
    head: { value: 'seq:hash', help: 'A head that was published; may be given several times.', isRepeatable: true },
    key: { value: 'hex', help: 'A key that was published with a head; may be repeated.', isRepeatable: true },
  },
  async run(call) {
    const heads = call.values('head').map(readHead);
    const keys = call.values('key').map(readKey);
    const db = await openToRead(call.config);
    try {
      const { ok, rows, head, checkpoint, removedHeads, findings, unsealed } = await verifyChain(
        { db },
        { heads, keys },
      );
      for (const finding of findings) call.terminal.tell(damageSentence(finding));
      call.terminal.say(ok ? `The chain is whole: ${rows} rows.` : `The chain is broken. It has ${rows} rows.`);
      if (head !== null) call.terminal.say(`Its head is ${headText(head)}`);
      if (checkpoint !== null) call.terminal.say(checkpointSentence(checkpoint));
      if (checkpoint !== null && keys.length === 0) {
        call.terminal.say(
          `Its key is ${checkpoint.key}: compare it with the keys published with the heads, or give them with --key.`,
        );
      }
      for (const removed of removedHeads) {
        call.terminal.say(`The link of the head ${headText(removed)} was removed, so it proves nothing any more.`);
      }
      call.terminal.say(`Rows that wait for their seal: ${unsealed}`);
      return ok ? EXIT.done : EXIT.failed;
    } finally {
      await db.close();
    }
  },
};

function readHead(text: string): ChainHead {
  const [, seq, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text.toLowerCase()) ?? [];
  if (seq === undefined || hash === undefined) throw new UsageError('A head is a number, a colon and 64 hex digits.');
  return { seq: Number(seq), hash };
}

function readKey(text: string): string {
  const key = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(key)) throw new UsageError('A key has 64 hex digits.');
  return key;
}

function checkpointSentence({ seq, before, at }: NonNullable<ChainReport['checkpoint']>): string {
  const [day = ''] = new Date(at).toISOString().split('T');
  return `Rows up to link ${seq}, all from before ${before.slice(0, 10)}, were removed on ${day}.`;
}

export function damageSentence({ damage, seq, auditId }: ChainFinding): string {
  const row = auditId === null ? `Link ${seq}` : `Row ${auditId} (link ${seq})`;
  switch (damage) {
    case 'edited':
      return `${row} is not what was sealed: it, or its link, has been edited.`;
    case 'missing':
      return `${row} is missing.`;
    case 'link missing':
      return `${row} is not the next one: links before it are missing.`;
    case 'out of order':
      return `${row} does not follow the link before it: rows were moved, removed or sealed anew.`;
    case 'head contradicted':
      return auditId === null
        ? `${row}, which was published, is not there: the end of the chain was cut off.`
        : `${row} is not what was published: the chain was written anew.`;
    case 'checkpoint unsigned':
      return `${row}, which says that older rows were removed, has no valid signature.`;
    case 'checkpoint of an unknown key':
      return `${row}, which says that older rows were removed, is signed with none of the given keys.`;
  }
}
