import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The values with which docs/deploy.md installs the chart. */
export function documentedValues(): Record<string, unknown> {
  const [, text = ''] = /`waybill\.yaml`:\n\n```yaml\n([^]*?)```/.exec(readFileSync('docs/deploy.md', 'utf8')) ?? []
  return parse(text) as Record<string, unknown>
}
