import { searchText } from '../paths.js'

type Raw = Record<string, string>

/** Canonical text of a search, without the saved view that it started from. */
export function queryTextOf(search: object): string {
  return searchText({ ...search, view: undefined }).replace(/^\?/, '')
}

/** Whether any filter is set; tab, sort and grouping are none. */
export function isNarrowed(search: object): boolean {
  const { tab: _tab, sort: _sort, order: _order, view: _view, by: _by, ...filters } = search as Raw
  return Object.keys(filters).length > 0
}
