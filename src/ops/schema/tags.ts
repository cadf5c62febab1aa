/** Tags of PyTorch's operators (torch.Tag), as recorded in tags.txt. */
import { once } from '../../base/memoize'
import { tagsText } from '#schema-texts'

const table = once(read)

/** Tag → overloads. A word of the text is a packet with its overloads: `relu`, `add/Scalar/Tensor`, `prims.abs`. */
function read(): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    tagsText()
      .split(/^# /m)
      .slice(1)
      .map((section) => {
        const [tag = '', ...lines] = section.trim().split('\n')
        const overloads = lines
          .flatMap((line) => line.split(' '))
          .flatMap((word) => {
            const [packet = '', ...named] = word.split('/')
            const qualified = packet.includes('.') ? packet : `aten.${packet}`
            return (named.length > 0 ? named : ['default']).map((overload) => `${qualified}.${overload}`)
          })
        return [tag, new Set(overloads)]
      }),
  )
}

/** True if PyTorch tags this overload so; only for tags that tags.txt lists. */
export const hasTag = (target: string, tag: string): boolean => table().get(tag)?.has(target) ?? false

/** All tags of an operator of PyTorch. The schema tells `out`, and all but a few have pt2_compliant_tag. */
export function tagsOf(
  target: string,
  args: readonly { readonly kwargOnly: boolean; readonly written?: boolean }[],
): string[] {
  const recorded = [...table().keys()].filter((tag) => hasTag(target, tag))
  const out = args.some((a) => a.kwargOnly && a.written) ? ['out'] : []
  return [
    ...recorded.filter((tag) => tag !== NOT_COMPLIANT),
    ...out,
    ...(recorded.includes(NOT_COMPLIANT) ? [] : [COMPLIANT]),
  ]
}

const COMPLIANT = 'pt2_compliant_tag'
const NOT_COMPLIANT = `not ${COMPLIANT}`
