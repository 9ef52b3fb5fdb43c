import type { Counts } from '../../http/colleagues.js'
import type { ToMain, ToWorker } from './messages.js'

export type Member = { tell(message: ToWorker): void }

type Inquiry = { missing: Set<Member>; metrics: object[][]; end(metrics: object[][] | undefined): void }

const patience = 2000

export type Exchange = ReturnType<typeof openExchange>

/** What workers know together: the main process passes it on, and adds what it measures itself of so many workers. */
export function openExchange(ownMetrics: (workers: number) => object[]) {
  const members = new Set<Member>()
  const totals = new Map<string, { window: number; counts: Map<string, number> }>()
  const inquiries = new Map<number, Inquiry>()
  let lastInquiry = 0

  function join(member: Member): void {
    members.add(member)
    // It learns of the minute that has begun without it.
    for (const [name, { window, counts }] of totals) {
      member.tell({ tells: 'counts', name, news: { window, counts: [...counts] } })
    }
  }

  function passOnCounts(from: Member, name: string, news: Counts): void {
    addTo(name, news)
    for (const member of members) if (member !== from) member.tell({ tells: 'counts', name, news })
  }

  function addTo(name: string, { window, counts }: Counts): void {
    const known = totals.get(name)
    if (known && known.window > window) return
    const total = known?.window === window ? known : { window, counts: new Map<string, number>() }
    for (const [id, count] of counts) total.counts.set(id, (total.counts.get(id) ?? 0) + count)
    totals.set(name, total)
  }

  function ask(from: Member, name: string, question: number): void {
    const inquiry = (lastInquiry += 1)
    const late = setTimeout(() => inquiries.get(inquiry)?.end(undefined), patience)
    inquiries.set(inquiry, {
      missing: new Set(members),
      metrics: [],
      end(metrics) {
        clearTimeout(late)
        inquiries.delete(inquiry)
        from.tell({ tells: 'all metrics', question, metrics: metrics && [...metrics, ownMetrics(members.size)] })
      },
    })
    for (const member of members) member.tell({ tells: 'metrics wanted', inquiry, name })
  }

  function settle(inquiry: Inquiry, member: Member): void {
    inquiry.missing.delete(member)
    if (inquiry.missing.size === 0) inquiry.end(inquiry.metrics)
  }

  return {
    leave(member: Member): void {
      members.delete(member)
      for (const inquiry of inquiries.values()) if (inquiry.missing.has(member)) settle(inquiry, member)
    },
    hear(member: Member, message: ToMain): void {
      if (message.tells === 'listening') join(member)
      if (message.tells === 'counts') passOnCounts(member, message.name, message.news)
      if (message.tells === 'metrics question') ask(member, message.name, message.question)
      if (message.tells === 'metrics') {
        const inquiry = inquiries.get(message.inquiry)
        inquiry?.metrics.push(message.metrics)
        if (inquiry) settle(inquiry, member)
      }
    },
  }
}
