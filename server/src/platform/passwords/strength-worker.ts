/** Responses come in the order of the requests. */
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import type { StrengthQuestion } from './strength.ts';

const estimator = new ZxcvbnFactory({
  graphs: common.adjacencyGraphs,
  dictionary: { ...common.dictionary, ...english.dictionary },
});

parentPort?.on('message', ({ password, words }: StrengthQuestion) => {
  parentPort?.postMessage(estimator.check(password, [...words]).score);
});
