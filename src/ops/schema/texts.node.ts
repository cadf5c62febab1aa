/** The schema files, from the disk; package.json's `imports` chooses this file or texts.browser.ts. */
import { readFileSync } from 'node:fs'

const textOf = (name: string): string => readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8')

/** Texts of one schema a line. */
export const schemaTexts = (): readonly string[] => ['torch', 'libraries'].map(textOf)

/** Operators by tag. */
export const tagsText = (): string => textOf('tags')
