import type { FreeTimeTerm, WorkingDays } from '../../contract/operator/free-time.js'
import type { Database } from '../../database/database.js'
import { lockFreeTime, saveCalendar, saveTerm } from '../../store/free-time.js'

/** Stores rules and calendars that are known to be right. */
export async function saveFreeTime(
  db: Database,
  { terms, calendars }: { terms: FreeTimeTerm[]; calendars: WorkingDays[] },
  author: string,
): Promise<void> {
  await db.begin(async (sql) => {
    await lockFreeTime(sql)
    for (const { id, ...term } of terms) await saveTerm(sql, id, term, author)
    for (const { place, ...calendar } of calendars) await saveCalendar(sql, place, calendar, author)
  })
}
