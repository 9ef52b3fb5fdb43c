import { type Query, searchText } from '../portal/paths.js'

/** All paths of the office, besides those for signing in. Links are built here and nowhere else. */

export const paths = {
  work: (query?: Query) => `/office${searchText(query ?? {})}`,
  profile: () => '/office/profile',
}
