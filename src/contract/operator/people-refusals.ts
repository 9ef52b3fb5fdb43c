/** Refusals about the users of accounts. */
export const peopleRefusals = {
  person_not_viewable: {
    status: 409,
    title: 'The portal cannot be seen as this user',
    explanation: 'The user is disabled, or the account is suspended.',
    remedy: 'Enable the user or end the suspension, or choose another user.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string; remedy: string }>
