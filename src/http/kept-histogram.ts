import type { Metric, Registry } from 'prom-client'

type Labels = Record<string, string | number>
type Value = { metricName: string; labels: Labels; value: number }

/** What is observed with the same labels: told of from its first value on. */
export type Series = { observe(value: number): void }

/**
 * A histogram that is kept as plain numbers, and told when somebody asks: the client library works out the labels for every
 * value, which takes longer than all else that is noted of an answer.
 */
export function addHistogram(registry: Registry, described: { name: string; help: string; buckets: number[] }) {
  const { name, help, buckets } = described
  const kept: { labels: Labels; counts: number[]; sum: number }[] = []

  function valuesOf({ labels, counts, sum }: (typeof kept)[number]): Value[] {
    let count = 0
    const bounded = [...buckets, '+Inf'].map((le, place) => {
      count += counts[place] as number
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
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: kept.flatMap(valuesOf) }),
  }
  // All that the registry asks of a metric; its type asks for what only the library's own have.
  registry.registerMetric(metric as unknown as Metric)

  return {
    seriesOf(labels: Labels): Series {
      const series = { labels, counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 }
      let isTold = false
      return {
        observe(value) {
          if (!isTold) kept.push(series)
          isTold = true
          let place = 0
          while (place < buckets.length && value > (buckets[place] as number)) place += 1
          ;(series.counts[place] as number) += 1
          series.sum += value
        },
      }
    },
  }
}
