/** The types of the Language Server Protocol that the editor uses; positions from 0. */
export interface LspMessage {
  id?: number
  method?: string
  params?: unknown
  result?: unknown
}

export interface LspRange {
  start: { line: number; character: number }
  end: { line: number; character: number }
}

export interface LspLocation {
  uri: string
  range: LspRange
}

export interface LspSymbol {
  name: string
  kind: number
  range: LspRange
  selectionRange: LspRange
  children?: LspSymbol[]
}

export interface LspRename {
  documentChanges?: { textDocument: { uri: string }; edits: { range: LspRange; newText: string }[] }[]
}

/** Monaco's range, which counts from 1. */
export const rangeOf = ({ start, end }: LspRange) => ({
  startLineNumber: start.line + 1,
  startColumn: start.character + 1,
  endLineNumber: end.line + 1,
  endColumn: end.character + 1,
})
