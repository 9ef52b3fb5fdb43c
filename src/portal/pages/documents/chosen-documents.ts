import { useCallback, useMemo, useState } from 'react'
import type { Document } from '../../../contract/document.js'

/** As many as go into one zip. */
export const mostChosen = 100

export type Chosen = {
  documents: Document[]
  has(id: string): boolean
  set(documents: Document[], isChosen: boolean): void
  clear(): void
}

/** Those that somebody has ticked: they stay so when the list shows others. */
export function useChosenDocuments(): Chosen {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Document>>(new Map())
  const set = useCallback((documents: Document[], isChosen: boolean) => {
    setChosen((before) => {
      const after = new Map(before)
      for (const document of documents) {
        if (isChosen) after.set(document.id, document)
        else after.delete(document.id)
      }
      return after
    })
  }, [])
  return useMemo(
    () => ({
      documents: [...chosen.values()],
      has: (id) => chosen.has(id),
      set,
      clear: () => setChosen(new Map()),
    }),
    [chosen, set],
  )
}
