import { Dialog } from '../../ui/dialog.js'
import { useOfficeMessages } from '../i18n/messages.js'
import styles from './keyboard-help.module.css'

/** Every shortcut. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const { nav, keyboard: m, grid, bookings, lines, file } = useOfficeMessages()
  const groups: [title: string, keys: [keys: string[], text: string][]][] = [
    [
      m.everywhere,
      [
        [['Ctrl K', '/'], m.search],
        [['?'], m.help],
        [['b'], bookings.keys.open],
      ],
    ],
    [
      m.table,
      [
        [['j', '↓'], m.next],
        [['k', '↑'], m.previous],
        [['Enter'], m.open],
      ],
    ],
    [
      grid.keys.title,
      [
        [['g'], grid.keys.open],
        [['Enter'], grid.keys.down],
        [['Tab'], grid.keys.across],
        [['F2'], grid.keys.edit],
        [['Shift ↓', 'Ctrl A'], grid.keys.select],
        [['Del'], grid.keys.clear],
        [['Ctrl C', 'Ctrl V'], grid.keys.copy],
        [['Ctrl D'], grid.keys.fill],
        [['Ctrl Z', 'Ctrl Y'], grid.keys.undo],
        [['Ctrl Enter'], grid.keys.review],
      ],
    ],
    [
      bookings.keys.title,
      [
        [['j', 'k'], m.next],
        [['x'], m.select],
        [['Shift X'], bookings.keys.range],
        [['Shift J', 'Shift K'], bookings.keys.extend],
        [['e'], bookings.keys.quantity],
        [['n'], bookings.keys.build],
        [['a'], bookings.keys.add],
      ],
    ],
    [
      lines.keys.title,
      [
        [['j', 'k'], m.next],
        [['←', '→'], lines.keys.panes],
        [['x'], m.select],
        [['Shift J', 'Shift K'], lines.keys.extend],
        [['1', '…', '9'], lines.keys.unit],
        [['0'], lines.keys.loose],
        [['m'], lines.keys.part],
        [['u', 'Del'], lines.keys.off],
        [['e'], lines.editUnits],
        [['z'], m.undo],
      ],
    ],
    [
      m.customer,
      [
        [['1', '…', '7'], m.parts],
        [['n'], m.newCustomer],
        [['i'], m.invite],
        [['c'], m.createKey],
        [['e'], m.edit],
        [['z'], m.undo],
      ],
    ],
    [
      m.billing,
      [
        [['e'], m.edit],
        [['i'], m.issue],
        [['z'], m.undo],
      ],
    ],
    [
      m.documents,
      [
        [['u'], m.addFiles],
        [['f'], m.fileAll],
        [['z'], m.undo],
      ],
    ],
    [
      m.file,
      [
        [['a'], m.addEvent],
        [['d'], m.shiftDates],
        [['p'], file.pin],
        [['e'], m.edit],
        [['u'], lines.editUnits],
        [['r'], file.editRoute],
        [['o'], lines.keys.open],
        [['z'], m.undo],
      ],
    ],
    [
      m.list,
      [
        [['j', '↓'], m.next],
        [['k', '↑'], m.previous],
        [['x'], m.select],
        [['o'], m.openSubject],
        [['e'], m.done],
        [['m'], m.assign],
        [['s'], m.snooze],
        [['z'], m.undo],
      ],
    ],
  ]
  return (
    <Dialog title={nav.keyboard} onClose={onClose}>
      {groups.map(([title, keys]) => (
        <section key={title}>
          <h3 className={styles.title}>{title}</h3>
          <dl className={styles.keys}>
            {keys.map(([names, text]) => (
              <div key={text} className={styles.row}>
                <dt>
                  {names.map((name) => (
                    <kbd key={name} className={styles.key}>
                      {name}
                    </kbd>
                  ))}
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
