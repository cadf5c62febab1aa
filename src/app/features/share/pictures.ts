/** Saves the drawing of the graph as SVG or PNG. */
import { count } from '../../../base/english'
import { messageOf } from '../../../base/error_message'
import type { Picture, PicturePart } from '../../canvas'
import { activeCanvas } from '../../commands/surfaces'
import { toast } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { download } from '../../files/download'

export type PictureForm = 'svg' | 'png'

/** The choices in the dialog and the palette. */
export const PICTURES: readonly { part: PicturePart; form: PictureForm; label: string; title: string }[] = [
  { part: 'whole', form: 'svg', label: 'SVG', title: 'Save the drawing of the graph as SVG' },
  { part: 'whole', form: 'png', label: 'PNG', title: 'Save the drawing of the graph as PNG' },
  { part: 'selection', form: 'svg', label: 'Selection as SVG', title: 'Save the drawing of the selection as SVG' },
  { part: 'selection', form: 'png', label: 'Selection as PNG', title: 'Save the drawing of the selection as PNG' },
]

/** More nodes would make an SVG of over 20 MB, which editors and browsers open slowly. */
const MAX_NODES = 20_000
/** Canvas limits that every browser supports: side in pixels, and area. */
const MAX_SIDE = 16_384
const MAX_AREA = 64 * 1024 * 1024
/** A picture of at most this size is saved at twice its pixels. */
const SHARP_AREA = 4 * 1024 * 1024
/** Below this scale the text of a node is not readable. */
const READABLE = 0.6

/** The scale of a PNG: twice the size if it is small, and less than 1 if a canvas cannot hold it. */
export function pngScale({ width, height }: Pick<Picture, 'width' | 'height'>): number {
  const wanted = width * height <= SHARP_AREA ? 2 : 1
  return Math.min(wanted, MAX_SIDE / width, MAX_SIDE / height, Math.sqrt(MAX_AREA / (width * height)))
}

export async function savePicture(part: PicturePart, form: PictureForm): Promise<void> {
  try {
    const picture = await activeCanvas()?.picture(part)
    if (!picture)
      return toast(part === 'selection' ? 'Select nodes on the canvas first.' : 'No graph is drawn.', { tone: 'bad' })
    if (picture.nodes > MAX_NODES)
      return toast(
        `A picture holds at most ${count(MAX_NODES, 'node')}, and this graph has more: select a part of it.`,
        { tone: 'bad' },
      )
    const name = `${fileName(useWorkspace.getState().workspace.name)}${part === 'selection' ? '-selection' : ''}.${form}`
    if (form === 'svg') {
      download(name, picture.svg, 'image/svg+xml')
      return toast(`${name} is downloaded: ${count(picture.nodes, 'node')}.`)
    }
    const scale = pngScale(picture)
    download(name, await rasterized(picture, scale), 'image/png')
    const small =
      scale < READABLE ? ` It is scaled to ${Math.round(scale * 100)} %; the SVG keeps its text readable.` : ''
    toast(`${name} is downloaded: ${count(picture.nodes, 'node')}.${small}`)
  } catch (e) {
    toast(`The picture could not be made: ${messageOf(e)}`, { tone: 'bad' })
  }
}

const fileName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'graph'

async function rasterized({ svg, width, height }: Picture, scale: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.floor(width * scale))
    canvas.height = Math.max(1, Math.floor(height * scale))
    const ctx = canvas.getContext('2d')
    if (!ctx) throw new Error('the browser has no memory for it')
    ctx.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
    if (!blob) throw new Error('the browser has no memory for it')
    return blob
  } finally {
    URL.revokeObjectURL(url)
  }
}
