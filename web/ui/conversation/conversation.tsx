import { IconPaperclip } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Message, MessagePerson } from '../../../src/contract/public/message.js'
import { useFormat } from '../../portal/i18n/format.js'
import { useMessages } from '../../portal/i18n/messages.js'
import { Button } from '../button.js'
import { MomentText } from '../moment-text.js'
import { Section } from '../section.js'
import { ErrorState, Lines } from '../states.js'
import { Composer, type NewMessage, type SentFile } from './composer.js'
import styles from './conversation.module.css'

type Side = MessagePerson['side']

type Props = {
  /** Whose messages are the reader's own. */
  side: Side
  conversation: { messages: Message[]; has_more: boolean; people: MessagePerson[]; unread?: number } | undefined
  error: unknown
  retry(): void
  /** Undefined for people who may only read. */
  write:
    | { draft: string; upload(file: File): Promise<SentFile>; send(message: NewMessage): Promise<unknown> }
    | undefined
  onOlder(): void
  aside?: ReactNode
}

/** The messages about a shipment or an order, oldest first, and a field for another one. */
export function Conversation({ side, conversation, error, retry, write, onOlder, aside }: Props) {
  const m = useMessages().conversation
  const { messages = [], has_more = false, people = [], unread = 0 } = conversation ?? {}
  const marked = (
    <>
      {unread > 0 && <span className={styles.unread}>{m.unread(unread)}</span>}
      {aside}
    </>
  )
  return (
    <Section title={m.title} anchor="messages" aside={marked}>
      {!conversation && (error ? <ErrorState error={error} retry={retry} /> : <Lines count={3} />)}
      {conversation && (
        <div className={styles.conversation}>
          {has_more && (
            <Button variant="subtle" size="xs" onClick={onOlder}>
              {m.older}
            </Button>
          )}
          {messages.length === 0 && (
            <p className="soft">
              <span className="strong">{m.none}.</span>{' '}
              {write && (side === 'account' ? m.noneToForwarder : m.noneToCustomer)}
            </p>
          )}
          <ol className={styles.messages}>
            {messages.toReversed().map((message) => (
              <Item key={message.message_id} message={message} isOwn={message.author.side === side} />
            ))}
          </ol>
          {write && <Composer key={write.draft} side={side} people={people} {...write} />}
        </div>
      )}
    </Section>
  )
}

function Item({ message, isOwn }: { message: Message; isOwn: boolean }) {
  const m = useMessages().conversation
  const format = useFormat()
  const { author, text, sent_at, mentions, files } = message
  return (
    <li className={styles.message} data-own={isOwn} data-message={message.message_id}>
      <p className={styles.head}>
        <span className="strong">{author.name}</span>
        {!isOwn && <span className={styles.side}>{author.side === 'forwarder' ? m.forwarder : m.customer}</span>}
        <span className="small soft">
          <MomentText at={sent_at} look="ago" />
        </span>
      </p>
      <p className={styles.text}>{text}</p>
      {mentions.length > 0 && <p className="small soft">{m.mentioned(mentions.map(({ name }) => name).join(', '))}</p>}
      {files.length > 0 && (
        <ul className={styles.files}>
          {files.map(({ file_id, name, size, link }) => (
            <li key={file_id}>
              <a href={link} download={name} className={styles.file}>
                <IconPaperclip size={14} aria-hidden="true" /> {name}
              </a>
              <span className="small soft">{format.bytes(size)}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
