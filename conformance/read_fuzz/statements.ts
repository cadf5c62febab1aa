/**
 * The lines of a text that state a node, found only with one regular expression per line, for comparison with the readers. It knows
 * no header, scope or order.
 */

/** `%add : [num_users=1] = call_function[target=…](…)`. */
const GRAPH_LINE = /%\w+ : [^=]{0,200}\[(?:num_|#)users=\d+\] = (?:call_\w+|placeholder|get_attr)\[target=/
/** `add: "f32[4]" = torch.ops.aten.add.Tensor(x, y)`, behind quotes, a comment's mark, or a log's prefix. */
const ASSIGNMENT =
  /(?:^|[>\]|] ?|^[\d:|> ]{1,12} ?)\s*([A-Za-z_]\w*)(?:\s*:\s*"[^"]{1,300}")?\s*=\s*((?:torch\.ops\.|torch\.|operator\.|_operator_|torch_Tensor_)\w[\w.]*\()/
/** print_tabular. */
const ROW =
  /^[\s|>#\d:]*(?:placeholder|get_attr|call_function|call_method|call_module|output)[\s|]+\w+[\s|]+\S.*[\s|]\(/
/** FxGraphDrawer. */
const DRAWN = /^[\s>]*"?\w+"? \[label="\{name=%\w+\|op_code=\w+/

/** Marks of an assignment in FX code, as opposed to a program. */
const OF_FX = /= torch\.ops\.|;\s+\w+ = (?:\w+ = )*None\s*$|^[^=]{0,320}:\s*"[^"]*\[[^"]*"\s*=/

/** The last line of a forward or of print(graph). */
const RETURN = /^[\s>]*return (?:\([\w, ]+\)|\[[\w, ]+\])\s*$/
/** `def forward(self, arg0_1: "f32[4]", arg1_1):`, all in one line. */
const FORWARD = /^[\s>]*def forward\(self((?:, \w+(?:: "[^"]*")?)*)\):?\s*$/

/** How many nodes each line states: line numbers, from 1, to counts. */
export function statedNodes(text: string): Map<number, number> {
  const stated = new Map<number, number>()
  const comments = new Set<string>()
  // Its parameters are placeholders only as `a, b, = fx_pytree.tree_flatten_spec(…)` names them.
  const flattened = /tree_flatten|flatten_spec|fx_pytree/.test(plain(text))
  let above = ''
  for (const [i, written] of text.split(/\r\n|\r|\n/).entries()) {
    const line = plain(written)
    // A traceback quotes the line of a program below its place.
    const count = /File (?:"|&quot;)/.test(above) && RETURN.test(line) ? 0 : countOf(line)
    if (!BETWEEN.test(line)) above = line
    if (count === 0 || (flattened && FORWARD.test(line))) continue
    // Output code repeats a node in the comments of each kernel that computes it.
    const comment = /^[>\s\d:]*(?:#|\/\/)/.test(line) ? line.slice(line.indexOf('%')) : null
    if (comment !== null && comments.has(comment)) continue
    if (comment !== null) comments.add(comment)
    stated.set(i + 1, count)
  }
  return stated
}

// oxlint-disable-next-line no-control-regex
const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]/g

/** Removes what terminals and word processors add. */
const plain = (text: string): string =>
  text
    .replace(ESCAPES, '')
    .replace(/[\u200b\u00ad\u2060]/g, '')
    .replace(/[\u201c\u201d]/g, '"')
    .replaceAll('\ufb02', 'fl')
    .replace(/^(?:&gt; ?)+/, (marks) => marks.replaceAll('&gt;', '>'))

/** An empty line, quoted too, and a fence. */
const BETWEEN = /^[\s>]*(?:```\w*\s*)?$/

/** Inductor's debug log as it lowers each node, and its output code. */
const OF_INDUCTOR = /\blowering %|(?:^|[>\]|]) *buf\d+ = /

function countOf(line: string): number {
  if (OF_INDUCTOR.test(line)) return 0
  // A line that lost its newline states the next node too.
  if (GRAPH_LINE.test(line)) return line.match(new RegExp(GRAPH_LINE, 'g'))!.length
  // A person's comment, or the comment of a source line.
  if (/^(?:[^#]*\] )?[\s\d:>|+]*#/.test(line)) return 0
  if (ROW.test(line) || DRAWN.test(line) || RETURN.test(line)) return 1
  const parameters = FORWARD.exec(line)?.[1]
  if (parameters !== undefined) return [...parameters.replace(/"[^"]*"/g, '').matchAll(/, \w+/g)].length
  return ASSIGNMENT.test(line) && OF_FX.test(line) ? 1 : 0
}
