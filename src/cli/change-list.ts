import type { FieldChange } from '../ingest/tables/import-table.js'

// Of a JSON summary, which is held in memory.
const mostListed = 10_000

/** The changes that a table would make: printed as they are found, or listed in the JSON summary. */
export class ChangeList {
  readonly #isJson: boolean
  readonly #listed: { id: string; field: string; from?: unknown; to?: unknown }[] = []
  #count = 0
  #lost = 0

  constructor(isJson: boolean) {
    this.#isJson = isJson
  }

  add({ id, field, before, after }: FieldChange): void {
    this.#count += 1
    if (after === undefined) this.#lost += 1
    if (!this.#isJson) console.log(`${id}: ${field}: ${shown(before)} -> ${shown(after)}`)
    else if (this.#listed.length < mostListed) this.#listed.push({ id, field, from: before, to: after })
  }

  describe(): string {
    const values = this.#count === 1 ? 'value' : 'values'
    return `It would change ${this.#count} ${values} of stored records; ${this.#lost} of them would be lost.`
  }

  asJson() {
    return { changes: this.#listed, change_count: this.#count, lost_count: this.#lost }
  }
}

function shown(value: unknown): string {
  return value === undefined ? '(none)' : JSON.stringify(value)
}
