/** Reads the file of `--config`: fields of the environment (docs/environment.md). */
import { jsonFault } from '../base/error_message'
import { err, ok, type Result } from '../base/result'
import { formatProblem } from '../fx'
import { environmentSchema, firstIssue } from '../workspace'
import { DEFAULT_ENVIRONMENT, type Environment } from '../workspace/types'
import { readText } from './input'

/** The default environment with the fields of a file, or an error message. */
export function readConfig(file: string): Result<Environment, string> {
  const text = readText(file, 'a JSON file of the environment')
  if (!text.ok) return err(formatProblem(text.error))
  let value: unknown
  try {
    value = JSON.parse(text.value)
  } catch (e) {
    return err(`${file}: this is not valid JSON (${jsonFault(e)})`)
  }
  // A misspelled field would become a setting that nothing reads.
  const fields = environmentSchema.partial().strict().safeParse(value)
  return fields.success ? ok({ ...DEFAULT_ENVIRONMENT, ...fields.data }) : err(`${file}: ${firstIssue(fields.error)}`)
}
