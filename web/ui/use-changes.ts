import { useState } from 'react'

/** Which rows came or changed while a list was looked at. */

export type Mark = 'new' | 'changed'
export type Version = readonly [key: string, version: string]

export type Seen = {
  /** Which list it is, with its filters: another one begins anew. */
  list: string
  versions: Map<string, string>
  isComplete: boolean
  marks: Map<string, Mark>
}

type Shown = { list: string; versions: Version[]; isComplete: boolean }

/**
 * What was seen, with what is shown now. A row that was not there before is new, unless it follows all known rows of a list
 * that went on: then it was on a later page. The same object if nothing has changed.
 */
export function seenWith(before: Seen | undefined, { list, versions: shown, isComplete }: Shown): Seen {
  // A row that moves while pages are fetched may be on two of them.
  const versions = [...new Map(shown)]
  if (before?.list !== list) return { list, versions: new Map(versions), isComplete, marks: new Map() }
  const last = before.isComplete ? versions.length : versions.findLastIndex(([key]) => before.versions.has(key))
  const marked = versions.flatMap(([key, version], index): [string, Mark][] => {
    const known = before.versions.get(key)
    if (known === undefined) return index < last ? [[key, 'new']] : []
    return known === version ? [] : [[key, before.marks.get(key) ?? 'changed']]
  })
  const isSame = marked.length === 0 && versions.every(([key]) => before.versions.has(key))
  if (isSame && before.isComplete === isComplete) return before
  // What has left the list stays known: it may come back, as by undo.
  return {
    list,
    versions: new Map([...before.versions, ...versions]),
    isComplete,
    marks: new Map([...before.marks, ...marked]),
  }
}

export type Changes = { marks: ReadonlyMap<string, Mark>; forget: (key: string) => void }

/** Of the rows of a list; nothing while it is loading. */
export function useChanges(shown: Shown | undefined): Changes {
  const [seen, setSeen] = useState<Seen>()
  const next = shown ? seenWith(seen, shown) : seen
  // State that follows what is shown, before it is on the screen.
  if (next !== seen) setSeen(next)
  const forget = (key: string) => {
    if (seen?.marks.has(key)) setSeen({ ...seen, marks: new Map([...seen.marks].filter(([each]) => each !== key)) })
  }
  return { marks: next && next.list === shown?.list ? next.marks : none, forget }
}

const none = new Map<string, Mark>()
