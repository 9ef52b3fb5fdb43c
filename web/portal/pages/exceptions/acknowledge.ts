import { useQueryClient } from '@tanstack/react-query'
import { api, refusalCodeOf } from '../../api/client.js'

// Writes of an account are serialized: more at once would only wait.
const atOnce = 4

type Outcome = { done: number; over: number }

/** Acknowledges exceptions. What has been closed in the meantime is counted, not refused. */
export function useAcknowledge(): (ids: string[], note?: string) => Promise<Outcome> {
  const queries = useQueryClient()
  return async (ids, note) => {
    const outcome = { done: 0, over: 0 }
    const left = [...ids]
    const work = async () => {
      for (let exception_id = left.shift(); exception_id !== undefined; exception_id = left.shift()) {
        outcome[await acknowledge(exception_id, note)] += 1
      }
    }
    try {
      await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, work))
      return outcome
    } finally {
      await Promise.all(['exception', 'overview'].map((kind) => queries.invalidateQueries({ queryKey: [kind] })))
    }
  }
}

async function acknowledge(exception_id: string, note: string | undefined): Promise<'done' | 'over'> {
  try {
    await api.v1.acknowledgeException({ params: { exception_id }, body: note === undefined ? {} : { note } })
    return 'done'
  } catch (error) {
    const code = refusalCodeOf(error)
    if (code === 'exception_closed' || code === 'exception_not_found') return 'over'
    throw error
  }
}
