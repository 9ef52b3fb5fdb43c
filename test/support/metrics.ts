/** A sample of `/metrics`. */
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
  if (!response.ok) throw new Error(`/metrics returns ${response.status}`)
  return samplesIn(await response.text())
}

/** The sum of the samples with this name and these labels; undefined if there are none. */
export function valueIn(samples: Sample[], name: string, labels: Record<string, string> = {}): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}

export type Queried = { name: string; labels: string[] }

// Words of PromQL that are not metric names: functions, aggregations and keywords.
const words = new Set(['time', 'sum', 'min', 'max', 'count', 'topk', 'by', 'rate', 'increase', 'histogram_quantile'])

/** The metrics of a query, each with the labels that it or the whole query uses. */
export function metricsIn(query: string): Queried[] {
  const groupings = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
  const plain = query.replaceAll(/\bby \([^)]*\)/g, ' ').replaceAll(/\[[^\]]*\]/g, ' ')
  return [...plain.matchAll(/([a-z_:][\w:]*)(\{[^}]*\})?/gi)].flatMap(([, name = '', selector = '']) => {
    if (words.has(name)) return []
    const selected = [...selector.matchAll(/([a-z_]+)\s*(?:=|!=|=~|!~)"/g)].map(([, label = '']) => label)
    return [{ name, labels: [...selected, ...groupings] }]
  })
}
