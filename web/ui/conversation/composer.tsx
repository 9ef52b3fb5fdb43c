import { IconPaperclip, IconX } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import type { MessagePerson } from '../../../src/contract/public/message.js'
import { maxMessageFiles, maxMessageText } from '../../../src/contract/public/message-limits.js'
import { maxProposalBytes } from '../../../src/contract/public/proposal-limits.js'
import { useFormat } from '../../portal/i18n/format.js'
import { useMessages } from '../../portal/i18n/messages.js'
import { announce } from '../announce.js'
import { Button, IconButton } from '../button.js'
import { FieldFrame } from '../field.js'
import field from '../field.module.css'
import { ErrorNotice, Notice } from '../notice.js'
import { useDraft } from '../use-draft.js'
import styles from './conversation.module.css'
import { mention, mentionAt, stillMentioned } from './mentions.js'

export type SentFile = { file_id: string; name: string; size: number }
export type NewMessage = { text: string; mentions: string[]; files: string[] }

type Props = {
  /** Whose people need no label. */
  side: MessagePerson['side']
  people: MessagePerson[]
  /** Under which what is written survives a reload: of the subject. */
  draft: string
  upload(file: File): Promise<SentFile>
  send(message: NewMessage): Promise<unknown>
}

type Written = { text: string; chosen: MessagePerson[]; files: SentFile[] }
const nothing: Written = { text: '', chosen: [], files: [] }

type State = { isBusy: boolean; error?: unknown; warning?: string }

/** A field for a message, with mentions and files. */
export function Composer({ side, people, draft, upload, send }: Props) {
  const m = useMessages().conversation
  const [{ text, chosen, files }, change, drop] = useDraft<Written>(`message ${draft}`, nothing)
  const [state, setState] = useState<State>({ isBusy: false })
  const mentioning = useMentioning(side, people, text, (next, person) => {
    change({ text: next, chosen: [...chosen, person] })
  })

  async function attempt(work: () => Promise<void>): Promise<void> {
    setState({ isBusy: true })
    try {
      await work()
      setState({ isBusy: false })
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  const submit = () =>
    attempt(async () => {
      await send({ text, mentions: stillMentioned(text, chosen), files: files.map(({ file_id }) => file_id) })
      change(nothing)
      drop()
      announce(m.sent)
    })

  function attach(file: File): void {
    if (file.size > maxProposalBytes) setState({ isBusy: false, warning: m.tooLarge(file.name) })
    else if (files.length >= maxMessageFiles) setState({ isBusy: false, warning: m.tooMany(maxMessageFiles) })
    else
      void attempt(async () => {
        const sent = await upload(file)
        change((before) => ({ files: [...before.files, sent] }))
      })
  }

  const canSend = text.trim() !== '' && !state.isBusy
  function press(event: KeyboardEvent): void {
    if (mentioning.press(event)) return
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !canSend) return
    event.preventDefault()
    void submit()
  }

  return (
    <form
      className={styles.composer}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (canSend) void submit()
      }}
    >
      {state.error !== undefined && <ErrorNotice error={state.error} />}
      {state.warning !== undefined && (
        <Notice tone="problem" role="alert">
          {state.warning}
        </Notice>
      )}
      <div className={styles.field}>
        <FieldFrame label={m.write}>
          {(control) => (
            <div className={field.box}>
              <textarea
                {...control}
                {...mentioning.control}
                className={`${field.control} ${styles.input}`}
                rows={3}
                maxLength={maxMessageText}
                placeholder={m.placeholder}
                value={text}
                onChange={({ currentTarget }) => {
                  change({ text: currentTarget.value })
                  mentioning.follow(currentTarget.selectionStart)
                }}
                onKeyDown={press}
              />
            </div>
          )}
        </FieldFrame>
        {mentioning.list}
      </div>
      <Attached files={files} onRemove={(id) => change({ files: files.filter(({ file_id }) => file_id !== id) })} />
      <div className={styles.actions}>
        <AttachButton isBusy={state.isBusy} onChoose={attach} />
        <Button type="submit" disabled={text.trim() === ''} loading={state.isBusy}>
          {m.send}
        </Button>
      </div>
    </form>
  )
}

/** The list of people while a name is typed after `@`: arrow keys, Enter, Tab and Escape work in the field. */
function useMentioning(
  side: MessagePerson['side'],
  people: MessagePerson[],
  text: string,
  onChoose: (text: string, person: MessagePerson) => void,
) {
  const m = useMessages().conversation
  const id = useId()
  const [caret, setCaret] = useState<number>()
  const [active, setActive] = useState(0)
  const typed = caret === undefined ? undefined : mentionAt(text, caret, people)
  const suggested = typed?.people ?? []
  const optionOf = (index: number) => `${id}-${index}`

  function choose(person: MessagePerson): void {
    if (!typed || caret === undefined) return
    onChoose(mention(text, typed, caret, person).text, person)
    setCaret(undefined)
  }

  /** Whether the key was for the list. */
  function press(event: KeyboardEvent): boolean {
    const person = suggested[active]
    if (!person) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((active + step + suggested.length) % suggested.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(person)
    else if (event.key === 'Escape') setCaret(undefined)
    else return false
    event.preventDefault()
    return true
  }

  const isOpen = suggested.length > 0
  return {
    press,
    follow(position: number) {
      setCaret(position)
      setActive(0)
    },
    control: {
      'aria-autocomplete': 'list',
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? optionOf(active) : undefined,
    } as const,
    list: isOpen && (
      <div id={id} role="listbox" aria-label={m.people} className={styles.people}>
        {suggested.map((person, index) => (
          <div
            key={person.person_id}
            id={optionOf(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={styles.person}
            // The field keeps the focus.
            onMouseDown={(event) => {
              event.preventDefault()
              choose(person)
            }}
          >
            <span>{person.name}</span>
            {person.side !== side && (
              <span className="small soft">{person.side === 'forwarder' ? m.forwarder : m.customer}</span>
            )}
          </div>
        ))}
      </div>
    ),
  }
}

function Attached({ files, onRemove }: { files: SentFile[]; onRemove(id: string): void }) {
  const m = useMessages().conversation
  const format = useFormat()
  if (files.length === 0) return null
  return (
    <ul className={styles.files} aria-label={m.attached}>
      {files.map(({ file_id, name, size }) => (
        <li key={file_id}>
          <span className={styles.file}>
            <IconPaperclip size={14} aria-hidden="true" /> {name}
          </span>
          <span className="small soft">{format.bytes(size)}</span>
          <IconButton aria-label={m.detach(name)} onClick={() => onRemove(file_id)}>
            <IconX size={14} aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

function AttachButton({ isBusy, onChoose }: { isBusy: boolean; onChoose(file: File): void }) {
  const m = useMessages().conversation
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // So that the same file can be chosen again.
          if (file) onChoose(file)
          currentTarget.value = ''
        }}
      />
      <Button
        variant="default"
        disabled={isBusy}
        leftSection={<IconPaperclip size={16} aria-hidden="true" />}
        onClick={() => input.current?.click()}
      >
        {m.attach}
      </Button>
    </>
  )
}
