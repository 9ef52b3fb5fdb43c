import { useState } from 'react'
import { PaletteDialog } from '../../ui/palette-dialog.js'
import { useMessages } from '../i18n/messages.js'
import { useResults } from './palette-results.js'

export function Palette({ onClose }: { onClose: () => void }) {
  const { palette } = useMessages()
  const [typed, setTyped] = useState('')
  const results = useResults(typed)
  return (
    <PaletteDialog {...results} typed={typed} onType={setTyped} placeholder={palette.placeholder} onClose={onClose} />
  )
}
