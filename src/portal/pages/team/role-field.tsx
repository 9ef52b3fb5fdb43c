import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Radio } from '@mantine/core'
import type { PersonRole } from '../../../contract/portal/people.js'
import { useMessages } from '../../i18n/messages.js'
import { roles } from './roles.js'
import styles from './team.module.css'

/** A role, with what it means. */
export function RoleField({ value, onChange }: { value: PersonRole; onChange: (role: PersonRole) => void }) {
  const { team: m, statuses } = useMessages()
  return (
    <Radio.Group label={m.role} value={value} onChange={onChange}>
      <div className={styles.choices}>
        {roles.map((role) => (
          <Radio key={role} value={role} label={statuses.role[role]} description={m.roleTexts[role]} />
        ))}
      </div>
    </Radio.Group>
  )
}
