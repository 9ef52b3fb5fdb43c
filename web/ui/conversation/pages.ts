import type { Message } from '../../../src/contract/public/message.js'

/** A conversation is read in pages, the newest first. */

type Page = { messages: Message[]; has_more: boolean }

export const olderPages = {
  initialPageParam: 0,
  getNextPageParam: ({ has_more }: Page, pages: Page[]) =>
    has_more ? pages.reduce((sum, { messages }) => sum + messages.length, 0) : undefined,
}

/** The messages of all pages; everything else is as the newest page has it. */
export function joined<Some extends Page>(pages: Some[] = []): Some | undefined {
  const [newest] = pages
  if (!newest) return undefined
  const messages = pages.flatMap((page) => page.messages)
  return { ...newest, messages, has_more: pages.at(-1)?.has_more ?? false }
}
