/**
 * Draws a graph with each library, in the page, from its text: Fusescope's reader runs first in every one, and its layout
 * for Sigma.js, which has none for layered graphs. A renderer returns a function that moves the view by some pixels.
 * JavaScript: the types of the libraries are in .cache only.
 */
import { instance } from '@viz-js/viz'
import cytoscape from 'cytoscape'
import dagre from 'cytoscape-dagre'
import Graph from 'graphology'
import Sigma from 'sigma'
import { drawingOfText } from './drawing'

const root = () => document.getElementById('root')

const COLOR = '#5b7fb5'

function sigma({ nodes, edges, positions }) {
  const graph = new Graph({ multi: true, type: 'directed' })
  nodes.forEach((label, i) =>
    graph.addNode(i, { label, x: positions[i * 2], y: positions[i * 2 + 1], size: 2, color: COLOR }),
  )
  for (const [a, b] of edges) graph.addEdge(a, b)
  const camera = new Sigma(graph, root()).getCamera()
  return (x) => camera.setState({ x: camera.getState().x + x / 1440 })
}

window.prepare = (text) => (window.prepared = drawingOfText(text, true))

window.renderers = {
  async graphviz(text) {
    const { nodes, edges } = drawingOfText(text, false)
    const viz = await instance()
    const lines = [
      ...nodes.map((n, i) => `${i} [label=${JSON.stringify(n)}]`),
      ...edges.map(([a, b]) => `${a} -> ${b}`),
    ]
    const svg = viz.renderSVGElement(`digraph { node [shape=box]; ${lines.join(';')} }`)
    svg.setAttribute('width', '100%')
    svg.setAttribute('height', '100%')
    root().append(svg)
    const box = svg.viewBox.baseVal
    return (x) => (box.x += (x / 1440) * box.width)
  },

  async cytoscape(text) {
    const { nodes, edges } = drawingOfText(text, false)
    cytoscape.use(dagre)
    const cy = cytoscape({
      container: root(),
      elements: [
        ...nodes.map((label, id) => ({ data: { id: String(id), label } })),
        ...edges.map(([a, b], i) => ({ data: { id: `e${i}`, source: String(a), target: String(b) } })),
      ],
      style: [
        { selector: 'node', style: { label: 'data(label)', shape: 'rectangle', 'background-color': COLOR } },
        { selector: 'edge', style: { 'target-arrow-shape': 'triangle', width: 1 } },
      ],
      layout: { name: 'dagre' },
    })
    return (x) => cy.panBy({ x, y: 0 })
  },

  sigma: async (text) => sigma(drawingOfText(text, true)),

  /** After `prepare`, which is not measured. */
  sigmaGiven: async () => sigma(window.prepared),
}
