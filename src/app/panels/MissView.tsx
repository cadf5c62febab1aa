/** One cause of near misses: the sentence, both sides, and when it is chosen what else is known of it. */
import type { MissGroup, PassMiss } from '../model/why_not'
import { sentenceParts } from '../model/why_not'
import type { Report } from '../../engine/protocol'
import { fileOf } from '../model/highlight'
import { markOf } from '../model/report_index'
import { bindingsText, count } from '../model/verdict'
import { useView } from '../stores/view'
import { useWorkspace } from '../stores/workspace'
import { PatternBadge } from '../shell/PatternBadge'
import { NodeLink } from './NodeLink'
import { Sentence } from './Notes'
import './misses.css'

/** More badges than this are a number. */
const BADGES = 8
const ANCHORS = 8

const selectionOf = ({ pass, miss }: PassMiss) => ({ kind: 'nearMiss', pass: pass.name, index: miss.index }) as const

/** @param quiet the both-sides table is shown only once it is chosen */
export function MissView({ report, group, quiet = false }: { report: Report; group: MissGroup; quiet?: boolean }) {
  const selection = useView((s) => s.selection)
  const chosen =
    selection?.kind === 'nearMiss'
      ? group.misses.find((m) => m.pass.name === selection.pass && m.miss.index === selection.index)
      : undefined
  const shown = chosen ?? group.lead
  const { miss } = shown
  const { lead, why, where } = sentenceParts(miss.sentence)
  const { select, setHover } = useView.getState()
  return (
    <article className={`miss ${chosen ? 'selected' : ''} ${quiet ? 'quiet' : ''}`}>
      <button
        className="miss-head"
        data-testid="near-miss"
        aria-pressed={chosen !== undefined}
        onClick={() => select(selectionOf(shown))}
        onMouseEnter={() => setHover(selectionOf(shown))}
        onMouseLeave={() => setHover(null)}
      >
        <span className="badges">
          {group.misses.slice(0, BADGES).map((m) => (
            <PatternBadge
              key={`${m.pass.name}:${m.miss.index}`}
              mark={markOf(report, m.pass.name, m.miss.entry)}
              hollow
            />
          ))}
          {group.misses.length > BADGES && <span className="muted">+{group.misses.length - BADGES}</span>}
        </span>
        <span>
          <span className="miss-lead">{lead}</span>
          <span className="miss-why">
            <Sentence text={why} />
          </span>
          <span className="muted">{where}</span>
        </span>
      </button>
      {(!quiet || chosen) && <Sides miss={shown} />}
      {chosen && (
        <div className="miss-more">
          {group.misses.length > 1 ? (
            <Variants report={report} group={group} chosen={chosen} />
          ) : (
            <EntryLine of={chosen} />
          )}
          <Also of={chosen} />
          <PatternLine of={chosen} />
          <p className="muted">
            {miss.anchors.length > 1 ? `${count(miss.anchors.length, 'anchor')}: ` : 'Anchor: '}
            {miss.anchors.slice(0, ANCHORS).map((a, i) => (
              <span key={a}>
                {i > 0 && ', '}
                <NodeLink name={a} />
              </span>
            ))}
            {miss.anchors.length > ANCHORS && ` and ${miss.anchors.length - ANCHORS} more`}
          </p>
          {miss.reason && (
            <p className="muted">
              PyTorch says <code className="wrap">{miss.reason}</code>
            </p>
          )}
        </div>
      )}
      {!chosen && !quiet && group.misses.length === 1 && <EntryLine of={shown} />}
    </article>
  )
}

function EntryLine({ of: { pass, miss } }: { of: PassMiss }) {
  const entry = pass.entries[miss.entry]
  if (!entry) return null
  const bindings = bindingsText(entry, pass.entries)
  return (
    <p className="muted miss-entry">
      {entry.title}
      {bindings && <span className="mono entry-bindings"> {bindings}</span>}
    </p>
  )
}

/** Both sides of the value that is to blame. */
function Sides({ miss: { miss } }: { miss: PassMiss }) {
  const m = miss.mismatch
  if (!m || (m.expected === null && m.found === null)) return null
  return (
    <table className="sides">
      <thead>
        <tr>
          <th scope="col">{m.argument ?? m.kind}</th>
          <th scope="col">Pattern</th>
          <th scope="col">Graph</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>{m.graphNode ? <NodeLink name={m.graphNode} /> : ''}</td>
          <td className="mono side-pattern">{m.expected ?? '–'}</td>
          <td className="mono side-graph">{m.found ?? '–'}</td>
        </tr>
      </tbody>
    </table>
  )
}

/** The variants that share the cause; each can be chosen for its own places. */
function Variants({ report, group, chosen }: { report: Report; group: MissGroup; chosen: PassMiss }) {
  return (
    <ul className="variants">
      {group.misses.map((m) => {
        const entry = m.pass.entries[m.miss.entry]
        return (
          <li key={`${m.pass.name}:${m.miss.index}`}>
            <button
              className={`row ${m === chosen ? 'selected' : ''}`}
              aria-pressed={m === chosen}
              onClick={() => useView.getState().select(selectionOf(m))}
            >
              <PatternBadge mark={markOf(report, m.pass.name, m.miss.entry)} hollow />
              <span className="entry-bindings wrap">
                {entry && (bindingsText(entry, m.pass.entries) || entry.title)}
              </span>
              <span className="num muted">{m.miss.count}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** What else stands in the way here: repairing the first cause alone would not do. */
function Also({ of: { miss } }: { of: PassMiss }) {
  const others = (miss.causes ?? []).filter((c) => !miss.sentence.includes(c.sentence) && !sameValue(miss, c))
  if (others.length === 0) return null
  return (
    <div>
      <p className="muted">Also in the way:</p>
      <ul className="also">
        {others.map((c, i) => (
          <li key={i}>
            <Sentence text={c.sentence} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const sameValue = (miss: PassMiss['miss'], c: { argument: string | null; expected: string | null }): boolean =>
  c.argument !== null && c.argument === miss.mismatch?.argument && c.expected === miss.mismatch.expected

/** The user's line of the pattern node that is to blame. */
function PatternLine({ of: { pass, miss } }: { of: PassMiss }) {
  const workspace = useWorkspace((s) => s.workspace)
  const node = miss.mismatch?.patternNode ?? miss.causes?.[0]?.patternNode ?? null
  const source = node === null ? null : (pass.entries[miss.entry]?.pattern.nodes[node]?.source ?? null)
  if (!source) return null
  const file = fileOf(workspace, source.file)
  return (
    <p>
      <button
        className="link mono"
        onClick={() => {
          useWorkspace.getState().open(file)
          useView.getState().select({ kind: 'line', file, line: source.line })
        }}
      >
        {file}:{source.line}
      </button>
      {source.code && <code className="code-line wrap">{source.code.trim()}</code>}
    </p>
  )
}
