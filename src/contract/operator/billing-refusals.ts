/** Refusals of issuing and of templates. */
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
} as const
