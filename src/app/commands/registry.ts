/** Commands by their ids: a view names a command of another feature by its id. `features/index.ts` registers all. */
import { perPage } from '../session/scope'
import { runCommand, type Command } from './types'

const registered = perPage(() => new Map<string, Command>())

export function registerCommands(commands: readonly Command[]): void {
  for (const command of commands) registered().set(command.id, command)
}

/** @throws Error for an id that no feature registers */
export function commandById(id: string): Command {
  const command = registered().get(id)
  if (!command) throw new Error(`no command ${id}`)
  return command
}

/** Runs a command unless it is disabled. */
export const runById = (id: string): void => runCommand(commandById(id))
