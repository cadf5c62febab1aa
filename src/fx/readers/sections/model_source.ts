/** The source of a model in a text, and the program that traces it. */
import { cleanText } from '../clean/clean_text'
import { contentOf } from './code_in_text'

/** Maximum number of characters that are read of a text. */
const READ = 4_000_000

/** A model's source. */
export interface ModelSource {
  /** The program up to its last class: the rest runs the model, on data that is not available here. */
  program: string
  /** The first class that no other class uses; null if there is none. */
  model: string | null
}

/** The model of a program, or of the programs in a text. @param whole the text is one program */
export function modelSource(text: string, whole: boolean): ModelSource {
  const { programs } = whole ? { programs: [{ text }] } : contentOf(cleanText(text.slice(0, READ)))
  const lines = programs.flatMap((b) => b.text.split('\n'))
  const classes: { name: string; begin: number; end: number }[] = []
  for (const [i, line] of lines.entries()) {
    const name = /^class (\w+)\b.*:/.exec(line)?.[1]
    if (name !== undefined) classes.push({ name, begin: i, end: i + 1 })
    else if (/^\s+\S/.test(line) && classes.length > 0 && lines.slice(classes.at(-1)!.end, i).every(isBlank))
      classes.at(-1)!.end = i + 1
  }
  const bodyOf = ({ begin, end }: (typeof classes)[number]): string => lines.slice(begin + 1, end).join('\n')
  const used = (name: string): boolean =>
    classes.some((c) => c.name !== name && new RegExp(`\\b${name}\\(`).test(bodyOf(c)))
  const models = classes.filter((c) => /^\s+def forward\(self\b/m.test(bodyOf(c)))
  const model = models.find((c) => !used(c.name)) ?? models[0]
  return { program: lines.slice(0, classes.at(-1)?.end).join('\n'), model: model?.name ?? null }
}

const isBlank = (line: string): boolean => line.trim() === ''

/** Imports that an excerpt of a program assumes; one line, before the program's own. */
const PRELUDE = 'import torch, torch.fx as fx, torch.nn as nn, torch.nn.functional as F'

/**
 * A program that prints the graph of a model.
 * @param before printed on the line above the graph
 * @param of the expression that creates the model
 */
export const tracingProgram = ({ program }: ModelSource, of: string, before: string): string =>
  `${PRELUDE}\n${program}\nprint(${JSON.stringify(before)})\nprint(torch.fx.symbolic_trace(${of}).graph)\n`
