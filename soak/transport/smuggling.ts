/**
 * Request smuggling: two servers may disagree where these requests end, so that a body is taken for the next request. Each
 * must be refused and its connection closed, so that nothing after it is processed.
 */

/** A complete request that is hidden in another one. */
export type Hidden = string

function post(key: string, lines: string[], body: string): string {
  const head = [
    'POST /v1/purchaseOrders HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
  ]
  return [...head, ...lines, '', body].join('\r\n')
}

export const smugglings: [name: string, bytes: (hidden: Hidden, key: string) => string][] = [
  [
    'a length and chunks',
    (hidden, key) => post(key, ['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`),
  ],
  [
    'chunks and a length',
    (hidden, key) => post(key, ['Transfer-Encoding: chunked', 'Content-Length: 6'], `0\r\n\r\n${hidden}`),
  ],
  ['two lengths', (hidden, key) => post(key, ['Content-Length: 0', `Content-Length: ${hidden.length}`], hidden)],
  ['two lengths in one line', (hidden, key) => post(key, [`Content-Length: 0, ${hidden.length}`], hidden)],
  ['a length with a sign', (hidden, key) => post(key, ['Content-Length: +0'], hidden)],
  ['a negative length', (hidden, key) => post(key, ['Content-Length: -1'], hidden)],
  ['a length in hexadecimal digits', (hidden, key) => post(key, ['Content-Length: 0x10'], hidden)],
  ['a length with a blank in it', (hidden, key) => post(key, ['Content-Length: 1 0'], hidden)],
  [
    'a length beyond the range of numbers',
    (hidden, key) => post(key, ['Content-Length: 99999999999999999999999'], hidden),
  ],
  ['an empty length', (hidden, key) => post(key, ['Content-Length: '], hidden)],
  ['a blank before the colon', (hidden, key) => post(key, ['Transfer-Encoding : chunked'], `0\r\n\r\n${hidden}`)],
  ['a blank before the colon of the length', (hidden, key) => post(key, ['Content-Length : 0'], hidden)],
  [
    'a name that begins with a blank',
    (hidden, key) => post(key, ['X: y', ' Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`),
  ],
  ['an unknown encoding', (hidden, key) => post(key, ['Transfer-Encoding: xchunked'], `0\r\n\r\n${hidden}`)],
  [
    'chunked is not the last encoding',
    (hidden, key) => post(key, ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${hidden}`),
  ],
  [
    'two transfer encodings',
    (hidden, key) => post(key, ['Transfer-Encoding: chunked', 'Transfer-Encoding: cow'], `0\r\n\r\n${hidden}`),
  ],
  ['compressed chunks', (hidden, key) => post(key, ['Transfer-Encoding: gzip'], `0\r\n\r\n${hidden}`)],
  ['chunks with a vertical tab', (hidden, key) => post(key, ['Transfer-Encoding: \x0bchunked'], `0\r\n\r\n${hidden}`)],
  ['chunks in quotes', (hidden, key) => post(key, ['Transfer-Encoding: "chunked"'], `0\r\n\r\n${hidden}`)],
  [
    'a line that ends with a line feed alone',
    (hidden, key) => post(key, ['Transfer-Encoding: chunked\nX: y'], `0\r\n\r\n${hidden}`),
  ],
  [
    'a line that ends with a carriage return alone',
    (hidden, key) => post(key, ['X: y\rTransfer-Encoding: chunked'], `0\r\n\r\n${hidden}`),
  ],
  [
    'a head that ends with line feeds alone',
    (hidden) => `POST /v1/purchaseOrders HTTP/1.1\nHost: x\nContent-Length: 0\n\n${hidden}`,
  ],
  ['a zero byte in a name', (hidden, key) => post(key, ['Transfer\0-Encoding: chunked'], `0\r\n\r\n${hidden}`)],
  ['a zero byte in a value', (hidden, key) => post(key, ['Transfer-Encoding: chunked\0'], `0\r\n\r\n${hidden}`)],
  ['a name without a colon', (hidden, key) => post(key, ['Transfer-Encoding chunked'], `0\r\n\r\n${hidden}`)],
  [
    'chunks in an old protocol',
    (hidden) =>
      `POST /v1/purchaseOrders HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${hidden}`,
  ],
  [
    'a chunk whose size has a sign',
    (hidden, key) => post(key, ['Transfer-Encoding: chunked'], `-1\r\n\r\n0\r\n\r\n${hidden}`),
  ],
  [
    'a chunk whose size is a fraction',
    (hidden, key) => post(key, ['Transfer-Encoding: chunked'], `0.0\r\n\r\n${hidden}`),
  ],
  [
    'a chunk whose size is written with 0x',
    (hidden, key) => post(key, ['Transfer-Encoding: chunked'], `0x0\r\n\r\n${hidden}`),
  ],
  [
    'a chunk whose size is beyond the range of numbers',
    (hidden, key) => post(key, ['Transfer-Encoding: chunked'], `fffffffffffffffff\r\n${hidden}`),
  ],
  [
    'a chunk whose size line ends with a line feed alone',
    (hidden, key) => post(key, ['Transfer-Encoding: chunked'], `0\n\n${hidden}`),
  ],
  [
    'a chunk that is longer than it says',
    (hidden, key) => post(key, ['Transfer-Encoding: chunked'], `1\r\nab\r\n0\r\n\r\n${hidden}`),
  ],
  [
    'a chunk with an extension that ends with a line feed',
    (hidden, key) => post(key, ['Transfer-Encoding: chunked'], `0;x\n\r\n\r\n${hidden}`),
  ],
  ['a body that is not chunked', (hidden, key) => post(key, ['Transfer-Encoding: chunked'], `hello\r\n${hidden}`)],
  [
    'a request line with a line feed in its address',
    (hidden) => `GET /v1/shipments\nHTTP/1.1\r\nHost: x\r\n\r\n${hidden}`,
  ],
]
