/** Places on the way that the plan does not have become steps by a name of this form, with the events that are there. */
export function isProposedCall(id: string | undefined): boolean {
  return id !== undefined && /^(call|inland)-[A-Z0-9]{5}$/.test(id)
}
