/** Icon buttons for commands. */
import type { ReactNode } from 'react'
import { showKeys } from './keys'
import { commandById, runById } from './registry'
import { IconButton } from '../ui/Button'
import type { IconName } from '../ui/icons'

/** A command's title with its key. */
export function commandHint(id: string): string {
  const c = commandById(id)
  return c.keys ? `${c.title} (${showKeys(c.keys[0]!)})` : c.title
}

interface CommandButtonProps {
  command: string
  icon: IconName
  /** It cannot run now; the button keeps its focus. */
  unavailable?: boolean
  children?: ReactNode
}

export function CommandButton({ command, icon, unavailable, children }: CommandButtonProps) {
  return (
    <IconButton
      aria-disabled={unavailable}
      variant="quiet"
      icon={icon}
      size={16}
      label={commandById(command).title}
      hint={commandHint(command)}
      onClick={() => runById(command)}
    >
      {children}
    </IconButton>
  )
}
