/** How many documents a link can show. Apart, so that the portal does not load the schemas. */
export const mostSharedDocuments = 50
