/** Refusals of the operations on messages. */
export const messageRefusals = {
  too_many_message_files: {
    status: 409,
    title: 'Too many files wait to be sent',
    explanation: 'The account has 100 files that were uploaded for messages and not sent with any. Nothing was stored.',
    remedy: 'Send the files with messages: name them in `files` of `POST /v1/messages`.',
  },
} as const
