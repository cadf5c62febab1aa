/**
 * Takes a graph from a page of another origin that opened this window (docs/api.md, "From another page"), asks, and opens it in
 * the page as a link: the code of a link asks again before it runs. This document holds nothing of the site's, so it needs no
 * hold-off from its opener; the page itself, whose header cuts that tie, never hears the opener.
 */
const LONGEST = /firefox/i.test(navigator.userAgent) ? 65_536 : 2 << 20
/** As in src/app/session/question/steady.ts: a press this soon after the question changed may have been meant for something else, in ms. */
const STEADY_MS = 1000
const status = document.querySelector('[role=status]')
const open = document.getElementById('open')
let link = null
let timer
/** The number of messages that replaced the question. */
let asked = 0

/** `#v1.…` (docs/links.md). @param {string} json */
async function linkOf(json) {
  const packed = new Blob([json]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return `#v1.${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
}

/** @param {unknown} value a text of at most `most` characters */
const text = (value, most = Infinity) => (typeof value === 'string' && value.length <= most ? value : null)

/** As HIDDEN of src/base/escapes.ts: a mark of direction would turn the rest of the question. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** @param {string} name */
const shown = (name) => `“${name.replace(HIDDEN, (c) => `\\u{${c.codePointAt(0).toString(16)}}`)}”`

/** The workspace of a message; null if it is none. */
function workspaceOf({ name, graph, files = [] }) {
  const named = text(name, 200)
  if (named === null || text(graph) === null || !Array.isArray(files)) return null
  if (!files.every((f) => text(f?.name, 200) !== null && text(f?.text) !== null)) return null
  const kept = files.map((f) => ({ name: f.name, text: f.text }))
  return { name: named, graph: { name: named, text: graph }, files: kept, options: { timeLimitS: 10 } }
}

addEventListener('message', async (event) => {
  const { data, origin, source } = event
  // A page with an opaque origin has no name that could be shown.
  if (source !== opener || source === null || origin === 'null' || data?.fusescope !== 1) return
  const answer = (body) => source.postMessage({ fusescope: 1, id: data.id, ...body }, origin)
  if (data.call === 'ping') return answer({ event: 'ready' })
  const workspace = data.call === 'open' ? workspaceOf(data) : null
  clearTimeout(timer)
  open.disabled = true
  link = null
  const own = ++asked
  if (!workspace) return answer({ error: 'Expected {call: "open", name, graph, files}: texts, and files with name and text.' })
  const view = { selection: null, mode: 'before', panel: 'whynot', openFile: workspace.files[0]?.name ?? workspace.name }
  const made = await linkOf(JSON.stringify({ v: 1, workspace, view, summary: null }))
  if (own !== asked) return answer({ error: 'A newer message took the place of this one.' })
  if (made.length > LONGEST) {
    status.textContent = `${origin} sent ${shown(workspace.name)}, which is too long: save it there as a file and drop it on Fusescope.`
    return answer({ error: `The graph is too long: ${made.length} characters as a link, ${LONGEST} open in this browser.` })
  }
  const size = workspace.graph.text.length
  const files = workspace.files.length
  const code = files === 0 ? '' : `, with Python code (${files === 1 ? '1 file' : `${files} files`}) that asks again before it runs`
  status.textContent = `${origin} sends the graph ${shown(workspace.name)} (${size.toLocaleString('en')} characters)${code}.`
  link = made
  arm()
  answer({ result: 'asked' })
})

/** The press counts a second from now. */
function arm() {
  clearTimeout(timer)
  open.disabled = true
  timer = setTimeout(() => (open.disabled = false), STEADY_MS)
}

// Who clicks fast, or holds a key, because the other page asked for it does not answer this question.
for (const press of ['pointerdown', 'keydown'])
  addEventListener(press, (e) => link !== null && (open.disabled || e.repeat) && arm(), true)

open.addEventListener('click', () => {
  if (link !== null) location.replace(`./${link}`)
})
document.getElementById('cancel').addEventListener('click', () => close())
// Holds nothing but the fact that this window listens.
opener?.postMessage({ fusescope: 1, event: 'ready' }, '*')
