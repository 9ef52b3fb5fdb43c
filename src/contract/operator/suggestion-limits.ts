/** Of a file that is read for a suggestion. As many as may wait at a time are 64 MiB (`pdf/pdf-text.ts`). */
export const mostSuggestionBytes = 8 * 1024 * 1024
