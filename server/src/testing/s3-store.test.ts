/** Tests the signature check of the test store with the examples of the Amazon S3 API reference. */
import { expect, test } from 'vitest';
import { signatureOf } from './s3-store.ts';

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const COMMON = { host: 'examplebucket.s3.amazonaws.com', 'x-amz-date': '20130524T000000Z' };
const SIGNING = { region: 'us-east-1', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };

test.each([
  {
    name: 'GET of a part of an object',
    method: 'GET',
    url: '/test.txt',
    headers: { ...COMMON, range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'PUT of an object whose key has to be encoded',
    method: 'PUT',
    url: '/test$file.text',
    headers: {
      ...COMMON,
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    name: 'GET with a query without a value',
    method: 'GET',
    url: '/?lifecycle',
    headers: { ...COMMON, 'x-amz-content-sha256': EMPTY },
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    name: 'GET with a query',
    method: 'GET',
    url: '/?prefix=J&max-keys=2',
    headers: { ...COMMON, 'x-amz-content-sha256': EMPTY },
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
])('$name', ({ method, url, headers, signature }) => {
  const signed = Object.keys(headers).toSorted();
  expect(signatureOf({ method, url, headers }, { signed, ...SIGNING })).toBe(signature);
});
