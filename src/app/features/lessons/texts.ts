/** The texts of lessons (public/lessons/ID/lesson.md), each fetched on demand; the build compiles them to plain data. */
import type { Block } from '../../markdown/markdown'
import { stepTexts, type StepText } from './step_texts'

const TEXTS = import.meta.glob<readonly Block[]>('../../../../public/lessons/*/lesson.md', { import: 'default' })

/** The text of each step; null if the lesson does not exist. */
export async function loadTexts(id: string): Promise<readonly StepText[] | null> {
  const blocks = await TEXTS[`../../../../public/lessons/${id}/lesson.md`]?.()
  return blocks ? stepTexts(blocks) : null
}
