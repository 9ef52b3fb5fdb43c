import { Type } from 'typebox'

/** Responses that are files. */
export const fileOf = (contentMediaType: string) => Type.String({ contentMediaType })
export const csv = fileOf('text/csv')
export const workbook = fileOf('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
