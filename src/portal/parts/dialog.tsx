import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useMessages } from '../i18n/messages.js'
import { Button } from './button.js'
import styles from './dialog.module.css'
import { explain } from './states.js'

type Props = {
  title: string
  onClose: () => void
  children: ReactNode
  /** Not closed by a click beside it: what it shows, or what was typed, would be gone. */
  isKept?: boolean
}

/** Something to be decided or filled in before going on. It is there for as long as it is rendered. */
export function Dialog({ title, onClose, children, isKept = false }: Props) {
  const { common } = useMessages()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered
      size="lg"
      closeOnClickOutside={!isKept}
      closeButtonProps={{ 'aria-label': common.close }}
      classNames={{ content: styles.content, header: styles.content, title: styles.title, body: styles.body }}
    >
      {children}
    </Modal>
  )
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}

/** Why it did not work, in the words that people are told everywhere. */
export function DialogError({ error }: { error: unknown }) {
  const { what, remedy } = explain(error, useMessages())
  return (
    <p role="alert" className={styles.error}>
      <strong>{what}.</strong> {remedy}
    </p>
  )
}

type ConfirmProps = {
  title: string
  text: ReactNode
  confirm: string
  /** What is done; it may be refused. */
  act: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something that others feel at once. */
export function ConfirmDialog({ title, text, confirm, act, onClose }: ConfirmProps) {
  const { common } = useMessages()
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const go = async () => {
    setState({ isBusy: true })
    try {
      await act()
      onClose()
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles.text}>{text}</div>
      {state.error !== undefined && <DialogError error={state.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {common.cancel}
        </Button>
        <Button color="red" loading={state.isBusy} onClick={() => void go()}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
