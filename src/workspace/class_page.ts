/** A class page: lessons, steps and links chosen by a teacher, as `#class=` in an address or as a file (docs/teaching.md). */
import { z } from 'zod'
import { err, ok, type Problem, type Result } from '../base/result'
import { fromBase64url, toBase64url } from './base64url'
import { firstIssue } from './schema'
import { problem } from './versions'

/** An entry of a class page: a lesson of the site, at a step from 1, or a link with its title. */
export type ClassItem = { lesson: string; step?: number | undefined; note?: string | undefined } | ClassLink

export interface ClassLink {
  title: string
  /** An address, or the part after this site's address: `#v2.…`, `?example=…`. */
  link: string
  note?: string | undefined
}

export interface ClassPage {
  title: string
  text: string
  items: ClassItem[]
}

const note = z.string().max(1000).optional()

const page = z.object({
  /** Version of the format. */
  fusescopeClass: z.literal(1),
  title: z.string().max(300),
  text: z.string().max(5000),
  items: z
    .array(
      z.union([
        z.object({
          lesson: z.string().regex(/^[\w-]{1,80}$/),
          step: z.number().int().positive().max(1000).optional(),
          note,
        }),
        z.object({
          title: z.string().max(300),
          // Only these schemes: a link in a received page must not run code.
          link: z
            .string()
            .max(2_000_000)
            .regex(/^(https?:\/\/|[#?])/, 'must begin with https://, # or ?')
            .refine((link) => URL.canParse(link, 'https://fusescope.invalid/'), 'must be an address'),
          note,
        }),
      ]),
    )
    .max(200),
})

/** The text of a file of a class page. */
export const writeClassPage = ({ title, text, items }: ClassPage): string =>
  `${JSON.stringify({ fusescopeClass: 1, title, text, items }, null, 2)}\n`

/** True for the text of a file that claims to be a class page. */
export const isClassPage = (text: string): boolean => /^\s*\{\s*"fusescopeClass"/.test(text)

export function readClassPage(text: string): Result<ClassPage> {
  try {
    const read = page.safeParse(JSON.parse(text))
    if (!read.success) return err(damaged(firstIssue(read.error)))
    const { fusescopeClass: _version, ...value } = read.data
    return ok(value)
  } catch {
    return err(damaged('it is no JSON'))
  }
}

const damaged = (why: string): Problem => problem('class page', `The class page could not be read: ${why}.`)

const FRAGMENT = '#class='

export const isClassFragment = (hash: string): boolean => hash.startsWith(FRAGMENT)

/** base64url of the file's text without spaces. */
export const classFragment = ({ title, text, items }: ClassPage): string =>
  FRAGMENT + toBase64url(new TextEncoder().encode(JSON.stringify({ fusescopeClass: 1, title, text, items })))

export function readClassFragment(hash: string): Result<ClassPage> {
  const bytes = fromBase64url(hash.slice(FRAGMENT.length))
  if (bytes instanceof Uint8Array) return readClassPage(new TextDecoder().decode(bytes))
  return err(damaged('the link is truncated or changed'))
}
