/** Refusals of issuing, of templates and of statements. */
export const billingRefusals = {
  template_not_found: {
    status: 404,
    title: 'There is no such template',
    explanation: 'The forwarder has no template of charges with this name.',
    remedy: 'Take names from `GET /ops/v1/chargeTemplates`.',
  },
  invoice_blocked: {
    status: 409,
    title: 'A check blocks the invoice',
    explanation:
      'A check that the settings of invoicing make binding found something. `detail` says what. Nothing was changed.',
    remedy: 'Correct the draft, or the settings. `GET .../invoices/{reference}/checks` shows all findings.',
  },
  invoice_date_not_allowed: {
    status: 409,
    title: 'The date does not fit the number series',
    explanation:
      'The dates of a series follow its numbers: none is before the date of the number before it, and none is in the future. Nothing was changed.',
    remedy: 'Leave out `sent_date`, or take a day from the one that `detail` names until today.',
  },
  invoice_changed: {
    status: 409,
    title: 'The invoice has changed meanwhile',
    explanation:
      'The request names the `revision` it is based on, and the invoice has a newer one. Nothing was changed.',
    remedy: 'Get the invoice again, compare its lines, and send the content with its present `revision`.',
  },
  statement_too_long: {
    status: 409,
    title: 'The statement would be too long',
    explanation: 'The period has more than 2,000 invoices, credit notes and payments in this currency.',
    remedy: 'Choose a shorter period.',
  },
} as const
