import type { Progress } from './progress.js'

// A file with more usually has one cause.
const mostPrinted = 200

/** Prints the warnings of an import: the first ones, and how many more there are. */
export function warningPrinter<Warning>(progress: Progress, describe: (warning: Warning) => string) {
  let count = 0
  return {
    add: (warning: Warning): void => {
      count += 1
      if (count <= mostPrinted) progress.print(`warning: ${describe(warning)}`)
    },
    end: (): void => {
      if (count > mostPrinted) progress.print(`${count - mostPrinted} more warnings`)
    },
  }
}
