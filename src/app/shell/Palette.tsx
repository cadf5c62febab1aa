import { Command as Menu } from 'cmdk'
import { groupCommands, isEnabled, runCommand } from '../commands/types'
import { allCommands } from '../features'
import { fits } from '../commands/fits'
import { showKeys } from '../commands/keys'
import { closeOverlay } from '../session/view_store'
import { Dialog } from '../ui/Dialog'
import { Kbd } from '../ui/Badge'
import styles from './Palette.module.css'
import { css, cx } from '../ui/css'

/** The command palette: searches all commands. */
export function Palette() {
  const groups = groupCommands(allCommands().filter((c) => c.id !== 'palette' && isEnabled(c)))
  return (
    <Dialog label="All commands" flush className={styles.palette}>
      <Menu label="All commands" loop filter={fits}>
        <Menu.Input className={styles.input} placeholder="What do you want to do?" />
        <Menu.List className={styles.list}>
          <Menu.Empty className={cx(css.muted, css.padWide)}>No matching command.</Menu.Empty>
          {groups.map(([group, commands]) => (
            <Menu.Group className={styles.group} key={group} heading={group}>
              {commands.map((c) => (
                <Menu.Item
                  className={styles.item}
                  key={c.id}
                  value={`${c.title} ${c.id}`}
                  onSelect={() => {
                    closeOverlay()
                    runCommand(c)
                  }}
                >
                  <span>{c.title}</span>
                  {c.keys && <Kbd>{showKeys(c.keys[0]!)}</Kbd>}
                </Menu.Item>
              ))}
            </Menu.Group>
          ))}
        </Menu.List>
      </Menu>
    </Dialog>
  )
}
