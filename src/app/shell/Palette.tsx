import { Command as Menu } from 'cmdk'
import { groupCommands, isEnabled } from '../commands/types'
import { allCommands } from '../features'
import { fits } from '../commands/fits'
import { showKeys } from '../commands/keys'
import { useView } from '../session/view_store'
import { Dialog } from '../ui/Dialog'

/** Every command, by typing. */
export function Palette() {
  const close = (): void => useView.getState().setOverlay(null)
  const groups = groupCommands(allCommands().filter((c) => c.id !== 'palette' && isEnabled(c)))
  return (
    <Dialog label="All commands" className="palette" onClose={close}>
      <Menu label="All commands" loop filter={fits}>
        <Menu.Input placeholder="What do you want to do?" />
        <Menu.List>
          <Menu.Empty>No command of that name.</Menu.Empty>
          {groups.map(([group, commands]) => (
            <Menu.Group key={group} heading={group}>
              {commands.map((c) => (
                <Menu.Item
                  key={c.id}
                  value={`${c.title} ${c.id}`}
                  onSelect={() => {
                    close()
                    c.run()
                  }}
                >
                  <span>{c.title}</span>
                  {c.keys && <kbd>{showKeys(c.keys[0]!)}</kbd>}
                </Menu.Item>
              ))}
            </Menu.Group>
          ))}
        </Menu.List>
      </Menu>
    </Dialog>
  )
}
