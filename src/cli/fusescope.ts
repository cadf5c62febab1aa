/** The command line as a function: arguments → exit status. Output goes to stdout and stderr. */
import { readFileSync } from 'node:fs'
import { parseArgs, type Command } from './args'
import { isGraphFile } from './folders'
import { commandHelp, overview } from './help'
import { bad, write } from './output'
import { DONE } from './status'

export async function fusescope(argv: readonly string[]): Promise<number> {
  const parsed = parseArgs(argv, isGraphFile)
  if (!parsed.ok) return bad(`fusescope ${parsed.error}. See fusescope help.`)
  const command = parsed.value
  if (command.kind === 'help') write(1, command.command === undefined ? overview() : commandHelp(command.command))
  else if (command.kind === 'version') write(1, `${version()}\n`)
  else return answer(command)
  return DONE
}

/** The modules of a command load on demand: printing a graph needs no Python. */
async function answer(command: Exclude<Command, { kind: 'help' | 'version' }>): Promise<number> {
  switch (command.kind) {
    case 'print':
      return (await import('./print')).printCommand(command)
    case 'link':
      return (await import('./link')).linkCommand(command)
    case 'link-of':
      return (await import('./link')).linkOfCommand(command)
    case 'pattern':
      return (await import('./selection/pattern')).patternCommand(command)
    case 'pattern-cases':
      return (await import('./selection/pattern')).patternCasesCommand(command)
    case 'lower':
      return (await import('./traces/lower')).lowerCommand(command)
    case 'trace':
      return (await import('./traces/trace')).traceCommand(command)
    case 'outline':
      return (await import('./outline/outline')).outlineCommand(command)
    case 'compare':
      return (await import('./comparison/compare')).compareCommand(command)
    case 'export':
      return (await import('./export')).exportCommand(command)
    case 'match':
      return (await import('./match')).matchCommand(command)
    case 'cases':
      return (await import('./cases/cases')).casesCommand(command)
    case 'capture':
      return (await import('./captures/capture')).captureCommand(command)
    case 'capture-script':
      return (await import('./captures/capture')).captureScriptCommand()
    case 'matrix':
      return (await import('./matrix')).matrixCommand(command)
    case 'table':
      return (await import('./table/table')).tableCommand(command)
    case 'baseline':
    case 'check':
      return (await import('./baseline/check')).guardCommand(command)
    case 'explain':
      return (await import('./explain')).explainCommand(command)
    case 'passes':
      return (await import('./passes')).passesCommand(command)
    case 'passes-of':
      return (await import('./passes')).passesOfCommand(command)
    case 'test':
      return (await import('./test')).testCommand(command)
    case 'explain-pattern':
      return (await import('./expressions/explain_pattern')).explainPatternCommand(command)
    case 'explain-capture':
      return (await import('./explain')).explainCaptureCommand(command)
    case 'explain-cases':
      return (await import('./explain')).explainCasesCommand(command)
  }
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
