/** The most bytes of a proposed document. Apart from the schemas, which the browser does not need. */
export const maxProposalBytes = 25 * 1024 * 1024
