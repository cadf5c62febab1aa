/** Recognizes the marks that people leave where they cut a text: `...`, `[snip]`, `# ... (20 layers omitted)`. */

const DOTS = /^(?:#|\/\/)?\s*[[(<{]*\s*(?:\.{1,}|\u2026|\. \. \.|:)[\s\])>}]*$/
const REMARK =
  /^(?:#|\/\/)?\s*[[(<{*]*\s*(?:\.{2,}|\u2026)?\s*(?=.{0,80}\b(?:snip|snipped|omitted|omit|truncated|skipped|cut|elided|redacted|more lines?|more nodes?|lines|nodes|layers?|repeat(?:s|ed)?|same|rest|etc)\b)[^=%"]{0,90}$/i

/** True if a line, trimmed, replaces lines that were cut. */
export function isCutMark(line: string): boolean {
  if (line.length === 0 || line.length > 100) return false
  if (DOTS.test(line)) return true
  // A remark counts as a mark only if dots or a bracket set it off from prose.
  return (
    /^(?:(?:#|\/\/)\s*)?(?:\.{2,}|\u2026|[[(<{]+\s*(?:\.{2,}|\u2026|snip|\d+ (?:more|lines)))/i.test(line) &&
    REMARK.test(line)
  )
}
