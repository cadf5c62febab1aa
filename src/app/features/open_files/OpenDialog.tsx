/** The questions before files are opened: which graphs of a dump, and what happens to the graph or files on screen. */
import { useEffect, useState, type ReactNode } from 'react'
import { count, listed } from '../../../base/english'
import { alikeRuns, whoOf, type AlikeRuns } from '../../../engine/capture/alike'
import { Button, LinkButton, type ButtonVariant } from '../../ui/Button'
import { questionChanged, useSteady } from '../../session/question/steady'
import { isExampleId } from '../../session/kept_ids'
import { useWorkspace } from '../../session/workspace_store'
import { Dialog, DialogActions } from '../../ui/Dialog'
import { Input } from '../../ui/Field'
import { addPythonFolder } from '../my_patterns/actions'
import { addGraphs, compareGraphs, fileOf, openAlone, placeGraphs, replaceGraph } from './place_graphs'
import { joinWorkspace, openFolder } from './place_folder'
import { ask, useQuestion, type FolderContent, type Question } from '../../files/question'
import styles from './OpenDialog.module.css'
import { css, cx } from '../../ui/css'

export function OpenDialog() {
  const question = useQuestion((s) => s.question)
  if (!question) return null
  if (question.kind === 'choose') return <Choose key={question.name} {...question} />
  if (question.kind === 'present') return <Present files={question.files} />
  if (question.kind === 'folder') return <Folder folder={question.folder} />
  if (question.kind === 'runs') return <Runs {...question} />
  if (question.kind === 'source') return <Source {...question} />
  if (question.kind === 'captures') return <Captures {...question} />
  return <Reading {...question} />
}

const close = (): void => ask(null)

type Answer = readonly [label: string, act: () => unknown, look?: { variant?: ButtonVariant; disabled?: boolean }]
const MAIN = { variant: 'primary' } as const

interface AskProps {
  title: string
  label?: string
  answers: readonly Answer[]
  children: ReactNode
}

/** A question with a button for each answer, which closes it unless it asks the next one. */
function Ask({ title, label, answers, children }: AskProps) {
  const question = useQuestion((s) => s.question)
  return (
    <Dialog label={label} title={title} onClose={close}>
      {children}
      <DialogActions>
        <Button onClick={close}>Cancel</Button>
        {answers.map(([text, act, look]) => (
          <Button
            key={text}
            {...look}
            onClick={() => {
              act()
              if (useQuestion.getState().question === question) close()
            }}
          >
            {text}
          </Button>
        ))}
      </DialogActions>
    </Dialog>
  )
}

/** A list of a dump's graphs shows their compile ids. */
function Choose({ name, graphs, chosen, pipeline }: Extract<Question, { kind: 'choose' }>) {
  const [checked, setChecked] = useState<ReadonlySet<number>>(() => new Set(chosen))
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const shown = [...graphs.entries()].filter(([, g]) => `${g.group ?? ''} ${g.title}`.toLowerCase().includes(wanted))
  const toggle = (i: number): void => {
    const next = new Set(checked)
    if (!next.delete(i)) next.add(i)
    setChecked(next)
  }
  const open = (): void => {
    close()
    placeGraphs([...checked].sort((a, b) => a - b).map((i) => fileOf(graphs[i]!, name, graphs.length)))
  }
  return (
    <Dialog label="Choose graphs" title={`${name}: ${count(graphs.length, 'graph')}`} onClose={close}>
      <p className={css.muted}>
        {pipeline
          ? 'The dumps of passes are a pipeline: the graph before the first pass, then the graph after each pass. Open them in this order.'
          : 'Choose what to open. The first of several is shown, and the patterns run on all.'}
      </p>
      {graphs.length > 8 && (
        <Input
          aria-label="Filter graphs"
          placeholder="Filter by compile id or artifact"
          value={filter}
          onValue={setFilter}
        />
      )}
      <ul className={styles.list} data-testid="graph-choices">
        {shown.map(([i, g]) => (
          <li key={i}>
            <label className={cx(css.baseline, css.breaks)}>
              <input type="checkbox" checked={checked.has(i)} onChange={() => toggle(i)} />
              {g.group && <code className={css.muted}>{g.group}</code>}
              <code>{g.title}</code>
              <span className={styles.lines}>line {g.line}</span>
            </label>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button variant="quiet" onClick={() => setChecked(new Set(shown.map(([i]) => i)))}>
          All
        </Button>
        <Button variant="quiet" onClick={() => setChecked(new Set())}>
          None
        </Button>
        <Button onClick={close}>Cancel</Button>
        <Button variant="primary" disabled={checked.size === 0} onClick={open}>
          Open {count(checked.size, 'graph')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Present({ files }: { files: Extract<Question, { kind: 'present' }>['files'] }) {
  const example = useWorkspace((s) => isExampleId(s.origin))
  const what = files.length === 1 ? files[0]!.name : count(files.length, 'graph')
  const answers: readonly Answer[] = [
    ['Compare', () => compareGraphs(files)],
    ['Add', () => addGraphs(files)],
    ['Replace', () => replaceGraph(files), example ? undefined : MAIN],
    ['New workspace', () => openAlone(files), example ? MAIN : undefined],
  ]
  return (
    <Ask title="A graph is open" answers={answers}>
      <p>
        <strong>{what}</strong> can open alone in a new workspace, replace the graph and keep the patterns, be added
        beside it, or be compared with it:{' '}
        {files.length === 1
          ? 'both stay open, side by side, with the changes that decide their matches.'
          : 'all stay open, and the table of patterns counts the matches of each.'}
      </p>
    </Ask>
  )
}

function Folder({ folder }: { folder: FolderContent }) {
  const [keep, setKeep] = useState(false)
  const graph = useWorkspace((s) => s.workspace.graph)
  const answers: readonly Answer[] = [
    ['Add to my patterns', () => addPythonFolder(folder)],
    ['Join this one', () => joinWorkspace(folder)],
    ['New workspace', () => openFolder(folder, keep), MAIN],
  ]
  const title = `${folder.name}: ${count(folder.python.length, 'Python file')}`
  return (
    <Ask label="Open a folder" title={title} answers={answers}>
      <p>
        <strong>New workspace</strong> opens these files alone. <strong>Join this one</strong> adds them to the open
        files, and a file of the same path is replaced. <strong>Add to my patterns</strong> keeps them for the table of
        passes by graphs, and what is open stays.
      </p>
      {graph.text.trim() !== '' && (
        <label className={css.baseline}>
          <input type="checkbox" checked={keep} onChange={() => setKeep(!keep)} />
          Keep {graph.name} in the new workspace
        </label>
      )}
    </Ask>
  )
}

/** Graphs with near misses come first, and among them those without a match. Captures of the same graph stay together. */
const nearestFirst = (rows: readonly AlikeRuns[]): AlikeRuns[] => {
  const rank = ({ run: { replaced, missed } }: AlikeRuns): number => (missed === 0 ? 2 : replaced === 0 ? 0 : 1)
  return rows.toSorted((a, b) => Number(b.differs) - Number(a.differs) || (a.differs ? 0 : rank(a) - rank(b)))
}

/** The graphs of a capture, or of several captures from different ranks or runs. */
function Runs({ choices, answer }: Extract<Question, { kind: 'runs' }>) {
  const rows = alikeRuns(choices)
  const [first] = choices
  const several = choices.length > 1
  const ranks = choices.every((c) => c.capture.header.rank !== null) ? 'rank' : 'run'
  const apart = new Set(rows.filter((r) => r.differs).map((r) => r.run.compile ?? r.run.run)).size
  const title = several ? count(choices.length, ranks) : `${first!.capture.name}: ${count(rows.length, 'graph')}`
  return (
    <Dialog label="Choose a graph" title={title} onClose={close}>
      <p className={css.muted}>
        {several &&
          (apart === 0
            ? 'PyTorch did the same in all of them. '
            : `They differ in ${count(apart, 'graph')}, which ${apart === 1 ? 'comes' : 'come'} first. `)}
        Choose the graph to open, with the passes that PyTorch applied to it. Graphs with near misses come first, and
        among them those in which nothing was replaced.
      </p>
      <ul className={styles.list} data-testid="run-choices">
        {nearestFirst(rows).map(({ run, captures, differs }) => (
          <li key={`${captures[0]} ${run.run}`}>
            <LinkButton
              onClick={() => {
                answer({ choice: choices[captures[0]!]!, run: run.run })
                close()
              }}
            >
              Graph {run.run + 1}
              {run.compile === null ? '' : `, compilation ${run.compile}`}
            </LinkButton>{' '}
            {several && (
              <b>
                {differs
                  ? listed(
                      captures.map((i) => whoOf(choices[i]!.capture)),
                      4,
                    )
                  : `× ${captures.length} ${ranks}s`}
              </b>
            )}{' '}
            <span className={css.muted}>
              {count(run.nodes, 'node')}, {run.calls}: {listed([...new Set(run.passes)], 3)} replaced{' '}
              {count(run.replaced, 'match', 'matches')}
              {run.missed > 0 && `, ${count(run.missed, 'near miss', 'near misses')}`}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** A file of another host is loaded only after this question: the host then learns of the visit. */
function Source({ url, host, answer }: Extract<Question, { kind: 'source' }>) {
  const steady = useSteady((s) => s.steady)
  useEffect(questionChanged, [url])
  const load: Answer = ['Load', () => answer(true), { ...MAIN, disabled: !steady }]
  return (
    <Ask label="Load from another host" title={`Load a file from ${host}?`} answers={[load]}>
      <p className={styles.url} data-testid="source-url">
        {url}
      </p>
      <p className={css.muted}>
        The page’s address names this file. {host} then sees your network address. Code in the file does not run before
        you press Run.
      </p>
    </Ask>
  )
}

function Captures({ name, answer }: Extract<Question, { kind: 'captures' }>) {
  const answers: readonly Answer[] = [
    ['Replace', () => answer('replace')],
    ['Add', () => answer('add')],
    ['Compare', () => answer('compare'), MAIN],
  ]
  return (
    <Ask title="A capture is open" answers={answers}>
      <p>
        <strong>{name}</strong> can open as a workspace of its own, be added beside the open capture, or be compared
        with it: both stay open, with the change of the graph, of a pattern or of an extra_check that decides their
        matches.
      </p>
    </Ask>
  )
}

function Reading({ name, read, size }: Extract<Question, { kind: 'reading' }>) {
  return (
    <Dialog title={`Reading ${name}`} onClose={close}>
      <progress className={css.wide} value={read} max={size} />
      <p className={css.muted} role="status">
        {Math.round(read / 1048576)} of {Math.round(size / 1048576)} MiB
      </p>
    </Dialog>
  )
}
