/** Prints a graph like GraphModule.print_readable. The text reads back as the same graph. */
import { formatPython } from './format'
import type { Graph } from '../graph/graph'
import type { Arg, Node } from '../graph/node'
import { additionalText, dictRepr } from '../meta_text'
import { BINARY_SIGN, INPLACE_SIGN, UNARY_SIGN } from '../operators'
import { targetToText } from '../target'
import { formatVal, type ValFormat } from '../val_text'
import { typeCode } from './type_code'

export interface ReadableFormat extends ValFormat {
  /** The module's class; print_readable shows `<lambda>` for graphs captured by Inductor, else `GraphModule`. */
  className?: string
}

/**
 * Prints `class <lambda>(torch.nn.Module): …`, optionally with strides and devices, and subgraphs as nested classes at
 * the end.
 */
export function printReadable(graph: Graph, format: ReadableFormat = {}): string {
  return printClass(graph, format.className ?? '<lambda>', format)
}

function printClass(graph: Graph, name: string, format: ValFormat): string {
  const { head, body } = forwardLines(graph, format)
  const lines = [`class ${name}(torch.nn.Module):`, `    ${head}`]
  for (const line of body) lines.push(line === '' ? '' : `        ${line}`)
  for (const [child, sub] of graph.subgraphs)
    lines.push(
      '',
      ...printClass(sub, child, format)
        .split('\n')
        .map((l) => (l === '' ? '' : `    ${l}`)),
    )
  return lines.join('\n')
}

/** repr() of the GraphModule that make_fx traced: its class, with its child modules. */
export function printModule(graph: Graph): string {
  const children = [...graph.subgraphs].map(([name, sub]) => `(${name}): ${printModule(sub).replaceAll('\n', '\n  ')}`)
  return children.length === 0 ? '<lambda>()' : `<lambda>(\n${children.map((c) => `  ${c}\n`).join('')})`
}

/** str() of the GraphModule that make_fx traced: its repr and its code, without annotations and comments. */
export function printModuleCode(graph: Graph): string {
  const hint = '# To see more debug info, please use `graph_module.print_readable()`'
  return [printModule(graph), printForward(graph), hint].join('\n')
}

/** GraphModule.code: `forward` without values and comments, three line ends before it. */
export function printForward(graph: Graph): string {
  const { head, body } = forwardLines(graph, null)
  return ['', '', '', head, ...body.map((line) => `    ${line}`), '    '].join('\n')
}

/** The lines of `forward`. With null, they have no values or comments. */
function forwardLines(graph: Graph, format: ValFormat | null): { head: string; body: string[] } {
  const parameters = ['self']
  const body: string[] = []
  const dead = lastUses(graph)
  let comment = ''
  let returns = ''
  for (const node of graph.nodes()) {
    if (node.op === 'placeholder') {
      const [value] = node.args
      parameters.push(node.target + annotation(node, format) + (value === undefined ? '' : ` = ${formatPython(value)}`))
      const raw = node.target.replaceAll('*', '')
      if (raw !== node.name) body.push(`${node.name} = ${raw}`)
      continue
    }
    if (node.op === 'output') {
      if (node.type) returns = ` -> ${typeCode(node.type)}`
      body.push(`return ${formatPython(node.args[0] ?? null)}`)
      continue
    }
    const summary = format ? sourceComment(node) : ''
    if (summary !== comment) {
      comment = summary
      body.push('', summary)
    }
    const drop = (dead.get(node) ?? []).map((n) => n.name)
    if (node.users.size === 0) drop.push(node.name)
    body.push(statement(node, format) + (drop.length > 0 ? `;  ${drop.join(' = ')} = None` : ''))
  }
  while (body[0] === '') body.shift()
  if (body.length === 0) body.push('pass')
  return { head: `def forward(${parameters.join(', ')})${returns}:`, body }
}

function annotation(node: Node, format: ValFormat | null): string {
  const val = format && node.meta.val ? formatVal(node.meta.val, format) : ''
  if (val !== '') return `: "${val}"`
  return node.type ? ` : ${typeCode(node.type)}` : ''
}

function sourceComment(node: Node): string {
  const { source, custom, additional } = node.meta
  const note = custom && Object.keys(custom).length > 0 ? ` Annotation: ${dictRepr(custom)}` : ''
  const before = additional && Object.keys(additional).length > 0 ? `# ${additionalText(additional)} ` : ''
  if (!source) return `${before}#${note} No stacktrace found for following nodes`
  return `${before}#${note} File: ${source.file}:${source.line} in ${source.fn ?? '<module>'}, code: ${source.code ?? ''}`
}

/** The nodes whose last user is this node, by node: print_readable frees them there. */
function lastUses(graph: Graph): Map<Node, Node[]> {
  const seen = new Set<Node>()
  const last = new Map<Node, Node[]>()
  for (const user of graph.reversed())
    for (const input of user.inputs()) {
      if (seen.has(input)) continue
      seen.add(input)
      const list = last.get(user)
      if (list) list.push(input)
      else last.set(user, [input])
    }
  return last
}

function statement(node: Node, format: ValFormat | null): string {
  const head = node.name + annotation(node, format)
  const [first, second, third] = node.args
  switch (node.op) {
    case 'get_attr':
      return `${head} = ${attribute('self', node.target)}`
    case 'call_module':
      return `${head} = ${attribute('self', node.target)}(${callArgs(node.args, node.kwargs)})`
    case 'call_method':
      return `${head} = ${attribute(formatPython(first ?? null), node.target)}(${callArgs(node.args.slice(1), node.kwargs)})`
  }
  const arity = node.args.length
  if (node.kwargs.size === 0) {
    const binary = BINARY_SIGN.get(node.target)
    if (binary && arity === 2) return `${head} = ${formatPython(first!)} ${binary} ${formatPython(second!)}`
    const unary = UNARY_SIGN.get(node.target)
    if (unary && arity === 1) return `${head} = ${unary}${formatPython(first!)}`
    if (node.target === 'operator.getitem' && arity === 2)
      return `${head} = ${formatPython(first!)}[${formatPython(second!)}]`
    const inplace = INPLACE_SIGN.get(node.target)
    if (inplace && arity === 2)
      return `${formatPython(first!)} ${inplace} ${formatPython(second!)};  ${head} = ${formatPython(first!)}`
    if (node.target === 'operator.setitem' && arity === 3) {
      const into = formatPython(first!)
      return `${into}[${formatPython(second!)}] = ${formatPython(third!)};  ${head} = ${into}`
    }
    if (node.target === 'builtins.getattr' && arity === 2 && typeof second === 'string' && isIdentifier(second))
      return `${head} = ${formatPython(first!)}.${second}`
  }
  return `${head} = ${functionName(node.target)}(${callArgs(node.args, node.kwargs)})`
}

/** A function's name in FX code: torch functions by path, builtins bare, others as one global name. */
function functionName(target: string): string {
  if (target.startsWith('builtins.')) return target.slice('builtins.'.length)
  if (target.startsWith('operator.')) return `_${target.replace('.', '_')}`
  const text = targetToText(target)
  if (text.startsWith('torch.Tensor.')) return text.replaceAll('.', '_')
  return text.startsWith('torch.') ? text : text.replace(/[^0-9a-zA-Z_]+/g, '_')
}

function callArgs(args: readonly Arg[], kwargs: ReadonlyMap<string, Arg>): string {
  const parts = args.map(formatPython)
  for (const [k, v] of kwargs) parts.push(`${k} = ${formatPython(v)}`)
  return parts.join(', ')
}

/** `self.layers`, or `getattr(self.layers, "0")` for a part that is not an identifier. */
function attribute(base: string, path: string): string {
  let text = base
  for (const part of path.split('.')) text = isIdentifier(part) ? `${text}.${part}` : `getattr(${text}, "${part}")`
  return text
}

const isIdentifier = (text: string): boolean => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(text)
