import type { Closing, Severity } from '../../../src/contract/public/exception.js'
import { englishKinds, englishReasons } from '../../../src/domain/exceptions/reason-texts.js'

const severities: Record<Severity, string> = { critical: 'Critical', warning: 'Warning', info: 'Info' }

const closings: Record<Closing, string> = {
  cleared: 'Resolved',
  acknowledged: 'Accepted',
  accepted: 'Accepted',
  closed: 'Closed by your forwarder',
  waived: 'Waived by your forwarder',
}

/** The page of exceptions, and their reasons. */
export const englishExceptions = {
  title: 'Exceptions',
  open: 'Needs attention',
  reasons: englishReasons,
  kinds: englishKinds,
  severities,
  closings,
  kind: 'Kind',
  severity: 'Severity',
  shipment: 'Shipment',
  order: 'Order',
  tabs: { unacknowledged: 'To do', open: 'All open', closed: 'Closed' },
  tabsLabel: 'State',
  filters: 'Filters',
  clear: 'Clear filters',
  list: 'Exceptions',
  counting: 'Loading…',
  lead: (shown: string, count: number, state: 'unacknowledged' | 'open' | 'closed') =>
    state === 'closed'
      ? `${shown} closed.`
      : count === 0
        ? state === 'open'
          ? 'Nothing is open.'
          : 'You are up to date.'
        : `${shown} ${state === 'open' ? 'open' : 'to look at'}, the most severe first.`,
  none: {
    unacknowledged: 'Nothing needs your attention',
    open: 'Nothing is open',
    closed: 'Nothing has been closed yet',
  },
  noneText: 'Delays, holds, ending free time, missing documents and orders at risk appear here by themselves.',
  nothingMatches: 'No matching exceptions',
  nothingMatchesText: 'Clear the filters to see all of them.',
  threatens: 'Threatens',
  lines: (count: number) => `${count} ${count === 1 ? 'line' : 'lines'}`,
  wanted: (day: string) => `wanted ${day}`,
  expected: (day: string) => `expected ${day}`,
  moreOrders: (count: number) => `and ${count} more ${count === 1 ? 'order' : 'orders'}`,
  moreLines: (count: number) => `and ${count} more ${count === 1 ? 'line' : 'lines'}`,
  since: 'since',
  episode: (count: number) => `${count}${count === 2 ? 'nd' : count === 3 ? 'rd' : 'th'} time`,
  owner: (name: string) => `${name} looks after it`,
  acknowledge: 'Acknowledge',
  accept: 'Accept',
  acceptDate: 'Accept date',
  acknowledgeWithNote: 'Acknowledge with a note',
  withNote: 'Add a note…',
  noteTitle: (count: number) => (count === 1 ? 'Acknowledge' : `Acknowledge ${count} exceptions`),
  note: 'Note',
  noteHint: 'Your forwarder sees it.',
  acknowledged: (who: string) => `Acknowledged by ${who}`,
  yourForwarder: 'your forwarder',
  anApiKey: 'an API key',
  removedPerson: 'a former teammate',
  select: (what: string) => `Select ${what}`,
  selectAll: 'Select all shown',
  selected: (count: number) => `${count} selected`,
  clearSelection: 'Clear selection',
  done: (count: number) => (count === 1 ? 'Acknowledged.' : `${count} acknowledged.`),
  alreadyOver: (count: number) => (count === 1 ? '1 was already closed.' : `${count} were already closed.`),
  keys: { next: 'next', previous: 'previous', select: 'select', acknowledge: 'acknowledge', open: 'open' },
  keysLabel: 'Keyboard shortcuts',
  all: (count: string) => `View all ${count}`,
  history: 'All exceptions',
}
