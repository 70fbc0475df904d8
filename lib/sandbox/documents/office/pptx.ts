import { FlawedDocument } from '../flaw'
import { createLine, type Block } from '../blocks'
import type { Zip } from '../zip'
import { childOf, elementsOf, findAll, findElement, textOf, type XmlElement } from '../xml'
import { readRelations, readXml } from './package'

/*
 * PowerPoint presentations: the text of each slide in the order of its shapes, its tables, and the speaker's notes.
 * Text outside the slide or switched off is marked as hidden.
 */

interface Area {
  readonly width: number
  readonly height: number
}

const numberOf = (text: string | undefined): number => Number(text ?? Number.NaN)

function isBeside(shape: XmlElement, slide: Area): boolean {
  const place = findElement(shape, 'xfrm')
  const off = childOf(place, 'off')
  const size = childOf(place, 'ext')
  const [x, y] = [numberOf(off?.attributes['x']), numberOf(off?.attributes['y'])]
  const [width, height] = [numberOf(size?.attributes['cx']), numberOf(size?.attributes['cy'])]
  return x >= slide.width || y >= slide.height || x + width <= 0 || y + height <= 0
}

const isSwitchedOff = (shape: XmlElement): boolean => {
  const value = elementsOf(shape)
    .flatMap((child) => (child.name.startsWith('nv') ? (childOf(child, 'cNvPr') ?? []) : []))
    .at(0)?.attributes['hidden']
  return value === '1' || value === 'true'
}

function readParagraph(paragraph: XmlElement, isHidden: boolean): string {
  const line = createLine()
  for (const child of elementsOf(paragraph)) {
    if (child.name === 'r' || child.name === 'fld') {
      const text = childOf(child, 't')
      const size = numberOf(childOf(child, 'rPr')?.attributes['sz'])
      // In hundredths of a point.
      if (text) line.add(textOf(text), isHidden || size <= 200)
    } else if (child.name === 'br') line.add('\n')
  }
  return line.take()
}

function readShape(shape: XmlElement, isHidden: boolean): readonly Block[] {
  const kind = findElement(childOf(shape, 'nvSpPr') ?? shape, 'ph')?.attributes['type']
  const isTitle = kind === 'title' || kind === 'ctrTitle'
  if (kind === 'sldNum' || kind === 'dt' || kind === 'ftr') return []
  const body = childOf(shape, 'txBody')
  return (body ? elementsOf(body) : []).flatMap((paragraph): readonly Block[] => {
    if (paragraph.name !== 'p') return []
    const text = readParagraph(paragraph, isHidden)
    if (text === '') return []
    if (isTitle) return [{ kind: 'heading', level: 2, text }]
    const properties = childOf(paragraph, 'pPr')
    const isPlain = kind === 'subTitle' || kind === undefined || childOf(properties, 'buNone') !== undefined
    if (isPlain) return [{ kind: 'paragraph', text }]
    const depth = numberOf(properties?.attributes['lvl']) || 0
    return [{ kind: 'item', depth, ordered: childOf(properties, 'buAutoNum') !== undefined, text }]
  })
}

function readTree(tree: XmlElement, slide: Area, hidden: boolean): readonly Block[] {
  return elementsOf(tree).flatMap((shape): readonly Block[] => {
    const isHidden = hidden || isSwitchedOff(shape) || isBeside(shape, slide)
    if (shape.name === 'sp') return readShape(shape, isHidden)
    if (shape.name === 'grpSp') return readTree(shape, slide, hidden || isSwitchedOff(shape))
    if (shape.name === 'AlternateContent') {
      const choice = childOf(shape, 'Choice')
      return choice ? readTree(choice, slide, hidden) : []
    }
    if (shape.name !== 'graphicFrame') return []
    return findAll(shape, 'tbl').map((table) => ({
      kind: 'table' as const,
      rows: findAll(table, 'tr').map((row) =>
        findAll(row, 'tc').map((cell) =>
          findAll(cell, 'p')
            .map((paragraph) => readParagraph(paragraph, isHidden))
            .join(' '),
        ),
      ),
    }))
  })
}

async function readSpeakerNotes(zip: Zip, slide: string): Promise<readonly Block[]> {
  const notes = [...(await readRelations(zip, slide)).values()].find(({ type }) => type === 'notesSlide')
  const tree = notes && (await readXml(zip, notes.target))
  if (!tree) return []
  const shapes = findAll(tree, 'sp').filter((shape) => findElement(shape, 'ph')?.attributes['type'] === 'body')
  const text = shapes
    .flatMap((shape) => findAll(shape, 'p').map((paragraph) => readParagraph(paragraph, false)))
    .filter((line) => line !== '')
    .join('\n')
  return text === '' ? [] : [{ kind: 'paragraph', text: `Speaker’s notes: ${text}` }]
}

export async function readPptx(zip: Zip): Promise<readonly Block[]> {
  const main = 'ppt/presentation.xml'
  const tree = await readXml(zip, main)
  const presentation = tree && childOf(tree, 'presentation')
  if (!presentation) throw new FlawedDocument('unknown')
  const relations = await readRelations(zip, main)
  const size = childOf(presentation, 'sldSz')?.attributes
  const area = { width: numberOf(size?.['cx']), height: numberOf(size?.['cy']) }
  const list = childOf(presentation, 'sldIdLst')
  const blocks: Block[] = []
  for (const entry of list ? elementsOf(list) : []) {
    // Both `id` and `r:id` exist; the relation's id comes last.
    const name = relations.get(entry.attributes['id'] ?? '')?.target
    const slide = name === undefined ? null : await readXml(zip, name)
    if (name === undefined || slide === null) continue
    const root = childOf(slide, 'sld')
    const shapes = root && findElement(root, 'spTree')
    const isOff = root?.attributes['show'] === '0'
    blocks.push({ kind: 'break' })
    const own = shapes ? readTree(shapes, area, isOff) : []
    blocks.push(...own, ...(await readSpeakerNotes(zip, name)))
    if (own.length === 0) blocks.push({ kind: 'paragraph', text: '(no text)' })
  }
  return blocks
}
