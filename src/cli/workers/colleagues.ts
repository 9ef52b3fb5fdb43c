import type { Colleagues, Counting } from '../../http/colleagues.js'
import type { ToMain, ToWorker } from './messages.js'

const interval = 200

/** The other workers, by way of the main process. No request waits for a message, but for those for metrics. */
export function colleaguesThrough(
  tell: (message: ToMain) => void,
): Colleagues & { hear(message: ToWorker): Promise<void> } {
  const shared = new Map<string, Counting>()
  const offered = new Map<string, () => Promise<object[]>>()
  const questions = new Map<number, (metrics: object[][] | undefined) => void>()
  let lastQuestion = 0

  function tellNews(): void {
    for (const [name, counting] of shared) {
      const news = counting.takeNews()
      if (news) tell({ tells: 'counts', name, news })
    }
  }
  setInterval(tellNews, interval).unref()

  return {
    shareCounts(name, counting) {
      shared.set(name, counting)
    },
    offerMetrics(name, read) {
      offered.set(name, read)
    },
    gatherMetrics(name) {
      const question = (lastQuestion += 1)
      return new Promise((resolve) => {
        questions.set(question, resolve)
        tell({ tells: 'metrics question', question, name })
      })
    },
    async hear(message) {
      if (message.tells === 'counts') shared.get(message.name)?.learn(message.news)
      if (message.tells === 'metrics wanted') {
        const metrics = (await offered.get(message.name)?.()) ?? []
        tell({ tells: 'metrics', inquiry: message.inquiry, metrics })
      }
      if (message.tells === 'all metrics') {
        questions.get(message.question)?.(message.metrics)
        questions.delete(message.question)
      }
    },
  }
}
