/** What `npm test` reads of the report that vitest writes as JSON. */
export type TestReport = {
  numPassedTests: number
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** The tests that did not run, with their files. What they need, and this machine does not have, is in their names: `(needs nginx)`. */
export function skippedTests({ testResults }: TestReport, folder = process.cwd()): string[] {
  return testResults.flatMap(({ name, assertionResults }) => {
    const file = name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : name
    return assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => {
        const [, test = fullName, needs = 'it does not say why'] = /^(.*) \((needs [^)]*)\)$/.exec(fullName) ?? []
        return `${needs}: ${file}: ${test.trim()}`
      })
  })
}
