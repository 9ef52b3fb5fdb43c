/** Refusals of the portal's interface, besides those it shares with the others. */
export const portalRefusals = {
  not_signed_in: {
    status: 401,
    title: 'Not signed in',
    explanation: 'There is no session, or it has ended.',
    remedy: 'Sign in again.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Incorrect e-mail address or password',
    explanation: 'The e-mail address and password do not match an active user.',
    remedy: 'Check both, or request a password reset link.',
  },
  sign_in_slowed: {
    status: 429,
    title: 'Too many sign-in attempts',
    explanation: 'After repeated failures further attempts are delayed, longer each time.',
    remedy: 'Wait for the seconds in `Retry-After`, or request a password reset link.',
  },
  foreign_origin: {
    status: 403,
    title: 'The request does not come from the portal',
    explanation: 'Writes need the token of their session, and must come from a page of the portal.',
    remedy: 'Reload the page and try again.',
  },
  reauthentication_required: {
    status: 403,
    title: 'Authenticate again',
    explanation:
      'Operations on keys, users and second factors require that the user authenticated within the last 10 minutes. Nothing was changed.',
    remedy: 'Authenticate again with `POST /portal/v1/session/authentication`, and repeat the request.',
  },
  session_not_found: {
    status: 404,
    title: 'There is no such session',
    explanation: 'You have no session with this identifier, or it has ended.',
    remedy: 'Take identifiers from the list of your sessions.',
  },
  link_not_valid: {
    status: 404,
    title: 'The link is no longer valid',
    explanation: 'The link was used, replaced by a newer one, or has expired.',
    remedy: 'Ask for a new one.',
  },
  person_not_found: {
    status: 404,
    title: 'There is no such user',
    explanation: 'The account has no user with this identifier.',
    remedy: 'Take identifiers from the list of users.',
  },
  person_exists: {
    status: 409,
    title: 'The e-mail address is already in use',
    explanation: 'An e-mail address belongs to one user. Nothing was changed.',
    remedy: 'Use another address, or change the role of the existing user.',
  },
  keys_undecided: {
    status: 409,
    title: 'The user has keys that still work',
    explanation: 'Keys of the user would stay without anybody responsible for them. Nothing was changed.',
    remedy: 'Send `keys=revoke` to end them, or `keys=hand_over` to take them over.',
  },
  last_admin: {
    status: 409,
    title: 'The account needs an admin',
    explanation: 'The account would be left without an admin. Nothing was changed.',
    remedy: 'Make another user an admin first.',
  },
  wrong_password: {
    status: 403,
    title: 'Incorrect current password',
    explanation: 'Changing the password, and authenticating again, require the current one. Nothing was changed.',
    remedy: 'Type it again, or request a password reset link.',
  },
  view_not_found: {
    status: 404,
    title: 'There is no such view',
    explanation: 'You have no saved view with this identifier.',
    remedy: 'Take identifiers from the list of your views.',
  },
  too_many_views: {
    status: 409,
    title: 'Too many saved views',
    explanation: 'A user has at most 100 saved views, and all users of an account together 5,000. Nothing was created.',
    remedy: 'Remove views that are no longer used.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many open event streams',
    explanation: 'A user has at most 20 open event streams, and all users of an account together 500.',
    remedy: 'Close other tabs of the portal, or wait for the seconds in `Retry-After`.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string; remedy: string }>
