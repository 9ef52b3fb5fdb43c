import type { Metric, Registry } from 'prom-client'

type Labels = Record<string, string | number>
type Value = { metricName: string; labels: Labels; value: number }

/** Observations with the same labels: exported from the first value on. */
export type Series = { observe(value: number): void }

/**
 * A histogram of plain numbers that are formatted when the metrics are read. The client library's own histogram resolves the
 * labels for every observation, which costs more than the rest of recording a response.
 */
export function addHistogram(registry: Registry, definition: { name: string; help: string; buckets: number[] }) {
  const { name, help, buckets } = definition
  const exported: { labels: Labels; counts: number[]; sum: number }[] = []

  function valuesOf({ labels, counts, sum }: (typeof exported)[number]): Value[] {
    let count = 0
    const bounded = [...buckets, '+Inf'].map((le, index) => {
      count += counts[index] as number
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
    })
    return [
      ...bounded,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }

  const metric = {
    name,
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: exported.flatMap(valuesOf) }),
  }
  // The registry uses only these members; its type demands private ones of the library's classes.
  registry.registerMetric(metric as unknown as Metric)

  return {
    seriesOf(labels: Labels): Series {
      const series = { labels, counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 }
      let isExported = false
      return {
        observe(value) {
          if (!isExported) exported.push(series)
          isExported = true
          let index = 0
          while (index < buckets.length && value > (buckets[index] as number)) index += 1
          ;(series.counts[index] as number) += 1
          series.sum += value
        },
      }
    },
  }
}
