/** What `/metrics` says, as Prometheus reads it. */
export type Sample = { name: string; labels: Record<string, string>; value: number }

export function samplesIn(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const [, name = '', labels = '', value = ''] = /^([a-z_:\d]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    const pairs = [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, label = '', given = '']) => [label, given])
    return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
  })
}

export async function readSamples(baseUrl: string, headers: Record<string, string> = {}): Promise<Sample[]> {
  const response = await fetch(`${baseUrl}/metrics`, { headers })
  if (!response.ok) throw new Error(`/metrics answers ${response.status}`)
  return samplesIn(await response.text())
}

/** The sum of what has that name and those labels; undefined: there is nothing of the kind. */
export function valueIn(samples: Sample[], name: string, labels: Record<string, string> = {}): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}

export type Queried = { name: string; labels: string[] }

// What is no name of a metric: functions, ways to add up, and words between them.
const words = new Set(['sum', 'min', 'max', 'count', 'topk', 'by', 'rate', 'increase', 'histogram_quantile'])

/** The metrics that a query names, each with the labels that are asked of it or of the whole query. */
export function metricsIn(query: string): Queried[] {
  const groupings = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
  const plain = query.replaceAll(/\bby \([^)]*\)/g, ' ').replaceAll(/\[[^\]]*\]/g, ' ')
  return [...plain.matchAll(/([a-z_:][\w:]*)(\{[^}]*\})?/gi)].flatMap(([, name = '', selector = '']) => {
    if (words.has(name)) return []
    const selected = [...selector.matchAll(/([a-z_]+)\s*(?:=|!=|=~|!~)"/g)].map(([, label = '']) => label)
    return [{ name, labels: [...selected, ...groupings] }]
  })
}
