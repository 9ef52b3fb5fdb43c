import { IconX } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useMessages } from '../portal/i18n/messages.js'
import { Button, IconButton } from './button.js'
import styles from './dialog.module.css'
import { Modal } from './modal.js'
import { ErrorNotice } from './notice.js'

type Props = {
  title: ReactNode
  onClose: () => void
  children: ReactNode
  isPersistent?: boolean
  isWide?: boolean
}

/** A modal with a title and a close button. `data-autofocus` marks the element that gets the focus. */
export function Dialog({ title, onClose, children, isPersistent = false, isWide = false }: Props) {
  const { common } = useMessages()
  const id = useId()
  return (
    <Modal
      labelledBy={id}
      onClose={onClose}
      isPersistent={isPersistent}
      className={`${styles.dialog} ${isWide ? styles.wide : ''}`}
    >
      {(close) => (
        <div className={styles.content}>
          <header className={styles.head}>
            <h2 id={id} className={styles.title}>
              {title}
            </h2>
            <IconButton aria-label={common.close} title={common.close} onClick={close}>
              <IconX size={18} aria-hidden="true" />
            </IconButton>
          </header>
          <div className={styles.body}>{children}</div>
        </div>
      )}
    </Modal>
  )
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}

type ConfirmProps = {
  title: string
  text: ReactNode
  confirm: string
  act: () => Promise<unknown>
  onClose: () => void
}

/** Asks before an action that cannot be undone. A refusal is shown inside. */
export function ConfirmDialog({ title, text, confirm, act, onClose }: ConfirmProps) {
  const { common } = useMessages()
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const run = async () => {
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
      {state.error !== undefined && <ErrorNotice error={state.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {common.cancel}
        </Button>
        <Button color="red" loading={state.isBusy} onClick={() => void run()}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
