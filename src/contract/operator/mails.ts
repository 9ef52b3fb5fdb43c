import { type Static, Type } from 'typebox'
import { take } from '../operation.js'
import { DateWithTime } from '../public/shared-types.js'
import { closed, named, oneOf } from '../schema.js'
import type { OperatorOperation } from './operation.js'

/** Mails that the service sends: what waits, what was sent, and what the mail server refused. */

export const mailStates = ['waiting', 'sent', 'failed'] as const

const SentMail = named(
  'SentMail',
  {
    mail_id: Type.Integer({ description: 'The number of the mail; later mails have higher numbers.' }),
    to: Type.String({ description: 'The address of the recipient.' }),
    subject: Type.String({
      description: 'The subject line. The text is not kept: it may contain a link that lets people in.',
    }),
    state: oneOf(mailStates, {
      description:
        '`waiting`: to be sent, or to be sent again after a failure; `sent`: a mail server has taken it; `failed`: given up.',
    }),
    created_at: DateWithTime,
    attempts: Type.Integer({ description: 'How often it was given to the mail server.' }),
  },
  {
    next_attempt_at: DateWithTime,
    sent_at: DateWithTime,
    failure: Type.String({ description: 'Why the last attempt failed, in the words of the mail server.' }),
  },
)
export type SentMail = Static<typeof SentMail>

const SentMails = named(
  'SentMails',
  { mails: Type.Array(SentMail) },
  { next: Type.Integer({ description: 'Send it as `before` to get the next page.' }) },
)

export const mailOperations = {
  listMails: {
    method: 'GET',
    path: '/ops/v1/mails',
    covers: 'all_accounts',
    tag: 'Accounts',
    right: 'administer',
    summary: 'List the mails of the last 30 days, the newest first',
    query: closed(
      {},
      {
        state: oneOf(mailStates),
        before: Type.Integer({
          minimum: 1,
          description: 'Only mails with a lower number: `next` of the previous page.',
        }),
        take: take(200, { default: 50 }),
      },
    ),
    success: { status: 200, body: SentMails },
    refusals: [],
  },
} as const satisfies Record<string, OperatorOperation>
