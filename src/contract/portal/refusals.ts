/** Every way in which the portal's interface says no, beside those that it shares with the others. */
export const portalRefusals = {
  not_signed_in: {
    status: 401,
    title: 'Nobody is signed in',
    explanation: 'The session has ended, or there was none.',
    remedy: 'Sign in again.',
  },
  sign_in_failed: {
    status: 401,
    title: 'E-mail address or password are not right',
    explanation: 'Nobody could be signed in with this e-mail address and this password.',
    remedy: 'Check both, or ask for a link to choose a new password.',
  },
  sign_in_slowed: {
    status: 429,
    title: 'Too many attempts to sign in',
    explanation: 'After some failures the next attempt has to wait, longer each time.',
    remedy: 'Wait for the seconds in `Retry-After`, or ask for a link to choose a new password.',
  },
  foreign_origin: {
    status: 403,
    title: 'The request does not come from the portal',
    explanation:
      'A request that changes something needs the token of its session, and must come from the portal itself.',
    remedy: 'Reload the page and try again.',
  },
  link_not_valid: {
    status: 404,
    title: 'The link is not valid any more',
    explanation: 'The link was used, replaced by a newer one, or has expired.',
    remedy: 'Ask for a new one.',
  },
  person_not_found: {
    status: 404,
    title: 'There is no such person',
    explanation: 'Nobody with this identifier belongs to the account.',
    remedy: 'Take identifiers from the list of people.',
  },
  person_exists: {
    status: 409,
    title: 'Somebody with this e-mail address is here already',
    explanation: 'An e-mail address belongs to one person. Nothing was changed.',
    remedy: 'Invite somebody else, or change the role of the person who is there.',
  },
  last_admin: {
    status: 409,
    title: 'Somebody has to be an admin',
    explanation:
      'The account would be left without anybody who can invite people and change roles. Nothing was changed.',
    remedy: 'Make somebody else an admin first.',
  },
  wrong_password: {
    status: 403,
    title: 'The current password is not right',
    explanation: 'To choose a new password, the current one has to be told. Nothing was changed.',
    remedy: 'Type it again, or ask for a link to choose a new one.',
  },
  view_not_found: {
    status: 404,
    title: 'There is no such view',
    explanation: 'You have no saved view with this identifier.',
    remedy: 'Take identifiers from the list of your views.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string; remedy: string }>
