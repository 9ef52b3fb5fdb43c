import type { Example } from '../openapi.js'

/** Example requests about messages and codes of senders. */

// A container that no shipment has: the message waits for it.
const interchange = [
  'UNB+UNOC:3+NSLU:ZZZ+FORWARDER:ZZZ+260311:0912+4711',
  'UNH+1+IFTSTA:D:00B:UN',
  'BGM+23+NGB014W+9',
  'DTM+137:202603110912:203',
  'RFF+BN:NGB7712034',
  'CNI+1',
  'STS+1+48',
  'DTM+334:202603102340:203',
  'LOC+175+CNNGB:139:6',
  'TDT+20+014W+1++NSLU:172:20+++9321483:146::ELBE HORIZON',
  'EQD+CN+NSLU0000008+45G1:102:5+++5',
  'UNT+11+1',
  'UNZ+1+4711',
]
const senderCode = { sender: 'NSLU', format: 'iftsta', code: 'VSLDEP::ZZZ' }
const message = { message_id: '4711201' }

export const messageExamples = {
  receiveMessage: {
    query: { format: 'iftsta', sender: 'NSLU' },
    body: interchange.map((segment) => `${segment}'\n`).join(''),
  },
  listMessages: { query: { sender: 'NSLU', take: 10 } },
  getMessage: { params: message },
  getMessageContent: { params: message },
  getAcknowledgement: { params: message },
  replayMessage: { params: message },
  matchMessage: { params: message, body: { account: 'nordlicht', svc_shipment_id: 'SHP-MYXAAF' } },
  dropMessage: { params: message, body: { reason: 'Not one of our shipments' } },
  mapCode: { params: senderCode, body: { mapped_to: 'DEPARTED', mapped_status: 'actual' } },
  previewMessage: {
    query: { format: 'table', sender: 'LogiNord' },
    body: 'Container;Event;Date;Port\nNSLU0000008;Gate out;2026-04-14 09:20;DEHAM\n',
  },
  setSenderColumns: {
    params: { sender: 'LogiNord' },
    body: {
      columns: [
        { heading: 'Unit', field: 'container' },
        { heading: 'Colour', field: 'ignored' },
      ],
      constants: [{ field: 'unlocode', value: 'DEHAM' }],
      dates: 'day-month',
      time_zone: 'Europe/Berlin',
      status: 'actual',
    },
  },
  getSenderColumns: { params: { sender: 'LogiNord' } },
  removeSenderColumns: { params: { sender: 'LogiNord' }, response: { removed: 'LogiNord' } },
  listCodes: { query: { sender: 'NSLU', state: 'mapped' } },
  unmapCode: { params: senderCode },
  setBranding: { body: { color: '#0a5f8c', dark_color: '#6fb7e0' } },
  getBranding: {},
  listMails: { query: { state: 'waiting' } },
  lookUpReference: { query: { reference: 'TGHU 759933-0' } },
} satisfies Record<string, Example>
