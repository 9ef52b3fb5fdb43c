/** Refusals of mails that are received. Each says what the mail server should do with the mail. */
export const mailRefusals = {
  replies_not_received: {
    status: 409,
    title: 'Replies by mail are not received',
    explanation: 'The service has no address for replies: `WAYBILL_REPLY_ADDRESS` is not set.',
    remedy: 'Set it, and start the service again.',
  },
  mail_not_readable: {
    status: 400,
    title: 'The mail cannot be read',
    explanation: 'The body is no mail (RFC 5322), or takes too long or too much memory to read. Nothing was stored.',
    remedy: 'Send the mail as it came, with its headers.',
  },
  mail_automatic: {
    status: 409,
    title: 'The mail was sent by a program',
    explanation:
      'It is an absence note, a report about a delivery, or of a mailing list: `Auto-Submitted`, `Precedence`, `List-Id` or an empty sender say so. Nothing was stored.',
    remedy: 'Discard it, without an answer: answers to such mails make loops.',
  },
  mail_without_text: {
    status: 400,
    title: 'The mail has no text of its own',
    explanation:
      'Nothing is left of it without what it quotes and its signature, and it has no files. Nothing was stored.',
    remedy: 'Tell the sender to write above the quoted text.',
  },
  mail_from_another: {
    status: 403,
    title: 'The mail is not from the person who got the address',
    explanation:
      'Each address for replies belongs to one person. `From` is another one, or several, or the person may not write messages any more. Nothing was stored.',
    remedy: 'Tell the sender to answer from the address that the mail was sent to, or in the portal.',
  },
  reply_address_not_found: {
    status: 404,
    title: 'No address for replies is known',
    explanation:
      'None of the recipients (`Delivered-To`, `To`, `Cc`) is an address of a mail that this service has sent. Nothing was stored.',
    remedy: 'Reject the mail: the sender may have mistyped the address.',
  },
} as const
