/** The calls of a page that frames the embedded page, and their schema. docs/api.md documents them. */
import { z } from 'zod'
import { selectionSchema, workspaceSchema } from './schema'

export const embedCallSchema = z.discriminatedUnion('call', [
  z.object({ call: z.literal('open'), link: z.string() }),
  z.object({ call: z.literal('open-example'), example: z.string() }),
  z.object({ call: z.literal('open-lesson'), lesson: z.string(), step: z.number().int().positive().optional() }),
  z.object({ call: z.literal('open-workspace'), workspace: workspaceSchema }),
  z.object({ call: z.literal('select'), selection: selectionSchema.nullable() }),
  z.object({ call: z.literal('report') }),
])

export type EmbedCall = z.infer<typeof embedCallSchema>
