/** How many days the calendar of what departs and arrives has: two weeks, of which today is the first day. */
export const comingDays = 14
