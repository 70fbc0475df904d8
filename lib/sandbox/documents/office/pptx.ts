import { FlawedDocument } from '../flaw'
import { createLine, withBoldHeadings, type Block, type SlideBlock } from '../blocks'
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

const isBold = (paragraph: XmlElement): boolean => {
  const runs = elementsOf(paragraph).filter(({ name }) => name === 'r' || name === 'fld')
  return runs.length > 0 && runs.every((run) => /^(?:1|true)$/.test(childOf(run, 'rPr')?.attributes['b'] ?? ''))
}

/** Whether a level of a placeholder has no bullets, by its slide's layout, else by the master; null: neither says. */
type IsWithoutBullets = (idx: string | undefined, level: number) => boolean | null

function bulletsOf(layout: XmlElement | null, master: XmlElement | null): IsWithoutBullets {
  const without = (styles: XmlElement | undefined, level: number): boolean | null => {
    const style = childOf(styles, `lvl${level + 1}pPr`)
    if (childOf(style, 'buNone')) return true
    return style && elementsOf(style).some(({ name }) => name === 'buChar' || name === 'buAutoNum') ? false : null
  }
  const shapes = layout ? findAll(layout, 'sp') : []
  return (idx, level) => {
    const shape = shapes.find((one) => idx !== undefined && findElement(one, 'ph')?.attributes['idx'] === idx)
    const own = shape && without(childOf(childOf(shape, 'txBody'), 'lstStyle'), level)
    return own ?? without(master ? findElement(master, 'bodyStyle') : undefined, level)
  }
}

function readShape(shape: XmlElement, isHidden: boolean, isWithoutBullets: IsWithoutBullets): readonly Block[] {
  const place = findElement(childOf(shape, 'nvSpPr') ?? shape, 'ph')?.attributes
  // A placeholder without a type is for content, which has bullets.
  const kind = place && (place['type'] ?? 'obj')
  const isTitle = kind === 'title' || kind === 'ctrTitle'
  if (kind === 'sldNum' || kind === 'dt' || kind === 'ftr') return []
  const body = childOf(shape, 'txBody')
  const blocks = (body ? elementsOf(body) : []).flatMap((paragraph): readonly SlideBlock[] => {
    if (paragraph.name !== 'p') return []
    const text = readParagraph(paragraph, isHidden)
    if (text === '') return []
    if (isTitle) return [{ block: { kind: 'heading', level: 2, text }, bold: false }]
    const properties = childOf(paragraph, 'pPr')
    const depth = numberOf(properties?.attributes['lvl']) || 0
    const own = (properties ? elementsOf(properties) : []).find(({ name }) =>
      /^bu(?:None|Char|AutoNum|Blip)$/.test(name),
    )
    const isByPlace =
      kind === undefined || kind === 'subTitle' || (isWithoutBullets(place?.['idx'], depth) ?? kind === 'obj')
    const isPlain = own ? own.name === 'buNone' : isByPlace
    const block: Block = isPlain
      ? { kind: 'paragraph', text }
      : { kind: 'item', depth, ordered: own?.name === 'buAutoNum', text }
    return [{ block, bold: isBold(paragraph) }]
  })
  return withBoldHeadings(blocks)
}

interface Slide extends Area {
  readonly isWithoutBullets: IsWithoutBullets
}

function readTree(tree: XmlElement, slide: Slide, hidden: boolean): readonly Block[] {
  return elementsOf(tree).flatMap((shape): readonly Block[] => {
    const isHidden = hidden || isSwitchedOff(shape) || isBeside(shape, slide)
    if (shape.name === 'sp') return readShape(shape, isHidden, slide.isWithoutBullets)
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

async function bulletsOfSlide(
  zip: Zip,
  slide: string,
  known: Map<string, IsWithoutBullets>,
): Promise<IsWithoutBullets> {
  const related = async (part: string, kind: string) =>
    [...(await readRelations(zip, part)).values()].find(({ type }) => type === kind)?.target ?? ''
  const layout = await related(slide, 'slideLayout')
  const found = known.get(layout)
  if (found) return found
  const master = layout === '' ? '' : await related(layout, 'slideMaster')
  const treeOf = async (part: string) => (part === '' ? null : readXml(zip, part))
  const bullets = bulletsOf(await treeOf(layout), await treeOf(master))
  known.set(layout, bullets)
  return bullets
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
  const known = new Map<string, IsWithoutBullets>()
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
    const isWithoutBullets = await bulletsOfSlide(zip, name, known)
    const own = shapes ? readTree(shapes, { ...area, isWithoutBullets }, isOff) : []
    blocks.push(...own, ...(await readSpeakerNotes(zip, name)))
    if (own.length === 0) blocks.push({ kind: 'paragraph', text: '(no text)' })
  }
  return blocks
}
