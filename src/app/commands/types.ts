/** A command: one action as data. Palette, keys, tooltips and help read the same lists. */

/** Groups in the order in which palette and help show them. */
export const COMMAND_GROUPS = [
  'View',
  'Graph',
  'Panels',
  'Steps',
  'Run',
  'Files',
  'Examples',
  'Lessons',
  'Share',
] as const

export interface Command {
  id: string
  title: string
  group: (typeof COMMAND_GROUPS)[number]
  /** `Mod+K`, `/`, `Shift+N`; Mod is ⌘ on a Mac and Ctrl elsewhere. Each entry is one shortcut. */
  keys?: readonly string[]
  /** Limits the keys to a context, in which they take precedence over other commands. Absent: everywhere. */
  keysWhen?(): boolean
  /** The keys also work while the focus is in the editor or a text field. */
  anywhere?: boolean
  /** False while the command has nothing to act on. Absent: always enabled. */
  enabled?(): boolean
  run(): void
}

/** Commands of one group. */
export const inGroup = (group: Command['group'], commands: readonly Omit<Command, 'group'>[]): Command[] =>
  commands.map((command) => ({ ...command, group }))

export const isEnabled = (command: Command): boolean => command.enabled?.() ?? true

/** Runs a command unless it is disabled. */
export function runCommand(command: Command): void {
  if (isEnabled(command)) command.run()
}

/** Commands by group, in the order of COMMAND_GROUPS; groups without commands are omitted. */
export function groupCommands(commands: readonly Command[]): [Command['group'], Command[]][] {
  return COMMAND_GROUPS.map((group): [Command['group'], Command[]] => [
    group,
    commands.filter((c) => c.group === group),
  ]).filter(([, list]) => list.length > 0)
}
