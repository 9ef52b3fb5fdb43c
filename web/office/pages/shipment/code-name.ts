/** The name of an event code, as the descriptions of events have it: "Vessel departed" has no code, "DEPARTED" is "Departed". */
export function codeName(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
