/** The schema files, bundled; package.json's `imports` chooses this file or texts.node.ts. */
import libraries from './libraries.txt?raw'
import tags from './tags.txt?raw'
import torch from './torch.txt?raw'

/** Texts of one schema a line. */
export const schemaTexts = (): readonly string[] => [torch, libraries]

/** Operators by tag. */
export const tagsText = (): string => tags
