/** Icon buttons for commands. */
import type { ComponentProps } from 'react'
import { showKeys } from './keys'
import { commandById, runById } from './registry'
import { IconButton } from '../ui/Button'

/** A command's title with its key. */
export function commandHint(id: string): string {
  const c = commandById(id)
  return c.keys ? `${c.title} (${showKeys(c.keys[0]!)})` : c.title
}

type CommandButtonProps = Omit<ComponentProps<typeof IconButton>, 'label'> & { command: string }

export const CommandButton = ({ command, ...props }: CommandButtonProps) => (
  <IconButton
    variant="quiet"
    size={16}
    label={commandById(command).title}
    hint={commandHint(command)}
    onClick={() => runById(command)}
    {...props}
  />
)
