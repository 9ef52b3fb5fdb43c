/** The length of the calendar of departures and arrivals: two weeks, beginning today. */
export const comingDays = 14
