import { useCallback, useMemo, useState } from 'react'
import type { Document } from '../../../../src/contract/public/document.js'

/** The limit of one ZIP. */
export const maxSelected = 100

export type Selection = {
  documents: Document[]
  has(id: string): boolean
  set(documents: Document[], isSelected: boolean): void
  clear(): void
}

/** The ticked documents, also those that the list no longer shows. */
export function useDocumentSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, Document>>(new Map())
  const set = useCallback((documents: Document[], isSelected: boolean) => {
    setSelected((before) => {
      const after = new Map(before)
      for (const document of documents) {
        if (isSelected) after.set(document.id, document)
        else after.delete(document.id)
      }
      return after
    })
  }, [])
  return useMemo(
    () => ({
      documents: [...selected.values()],
      has: (id) => selected.has(id),
      set,
      clear: () => setSelected(new Map()),
    }),
    [selected, set],
  )
}
