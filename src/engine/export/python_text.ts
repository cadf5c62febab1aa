/** Python source text of files and tables. */
import { commandsEscaped } from '../../base/runner_commands'
import { code, joined, literal, stringLiteral, type Code } from '../../fx/code/code'

/** Characters shown only as escapes: control characters except newline and tab, and characters that hide or reorder others. */
const HIDDEN = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/u

/**
 * A raw triple-quoted literal that stays readable; repr() for a text that such a literal cannot hold or show, or that commands a
 * workflow runner.
 */
export function textLiteral(text: string): Code {
  const shows = !HIDDEN.test(text) && text.split('\n').every((line) => commandsEscaped(line, () => '') === line)
  const raw = shows && !text.includes("'''") && !text.endsWith("'") && !text.endsWith('\\')
  return raw ? (`r'''${text}'''` as Code) : lines(text)
}

/** One quoted literal per line, in parentheses. */
const lines = (text: string): Code =>
  code`(\n${joined(
    text.split(/(?<=\n)/).map((line) => code`    ${stringLiteral(line)}`),
    '\n',
  )}\n)`

/** A dict of texts, one entry per line or block. */
export const textDict = (entries: Readonly<Record<string, string>>): Code =>
  code`{\n${joined(
    Object.entries(entries).map(([name, text]) => code`    ${literal(name)}: ${textLiteral(text)},\n`),
    '',
  )}}`

/** A dict of plain data, one entry per line. */
export const dictLines = (entries: Readonly<Record<string, unknown>>): Code =>
  code`{\n${joined(
    Object.entries(entries).map(([name, value]) => code`    ${literal(name)}: ${literal(value)},\n`),
    '',
  )}}`
