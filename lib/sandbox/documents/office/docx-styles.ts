import type { Zip } from '../zip'
import { childOf, elementsOf, type XmlElement } from '../xml'
import { readXml } from './package'

/** The properties that a style sets itself, without its base. */
interface Style {
  readonly base: string | undefined
  readonly name: string
  readonly paragraph: XmlElement | undefined
  readonly run: XmlElement | undefined
}

export interface DocxStyles {
  /** From 1; null if it is not a heading. */
  headingLevel(style: string | undefined): number | null
  listOf(style: string | undefined): XmlElement | undefined
  /** The run properties of a style and its bases, the style's own first. */
  runsOf(style: string | undefined): readonly XmlElement[]
  /** Whether the background of the text is not white. */
  isShaded(properties: XmlElement | undefined): boolean
}

/** Styles can be based on others; a cycle ends after this many. */
const maxBases = 12

const valueOf = (element: XmlElement | undefined): string | undefined => element?.attributes['val']

const isWhite = (color: string | undefined): boolean => color !== undefined && /^(?:f[c-f]){3}$/i.test(color)

export async function readStyles(zip: Zip): Promise<DocxStyles> {
  const tree = await readXml(zip, 'word/styles.xml')
  const list = tree && childOf(tree, 'styles')
  const styles = new Map<string, Style>()
  for (const style of list ? elementsOf(list).filter(({ name }) => name === 'style') : [])
    styles.set(style.attributes['styleId'] ?? '', {
      base: valueOf(childOf(style, 'basedOn')),
      name: valueOf(childOf(style, 'name')) ?? '',
      paragraph: childOf(style, 'pPr'),
      run: childOf(style, 'rPr'),
    })
  const chainOf = (id: string | undefined): readonly Style[] => {
    const chain: Style[] = []
    for (let at = id; at !== undefined && chain.length < maxBases;) {
      const style = styles.get(at)
      if (style === undefined) break
      chain.push(style)
      at = style.base
    }
    return chain
  }
  return {
    headingLevel(id) {
      if (id === undefined) return null
      for (const { name, paragraph } of chainOf(id)) {
        const level = valueOf(childOf(paragraph, 'outlineLvl'))
        if (level !== undefined && Number(level) < 9) return Number(level) + 1
        const named = /^(?:heading|标题|Überschrift)\s*([1-9])$/i.exec(name)?.[1]
        if (named !== undefined) return Number(named)
        if (/^title$/i.test(name)) return 1
      }
      const named = /^(?:heading|berschrift)([1-9])$/i.exec(id)?.[1]
      return named === undefined ? null : Number(named)
    },
    listOf: (id) => chainOf(id).flatMap(({ paragraph }) => childOf(paragraph, 'numPr') ?? [])[0],
    runsOf: (id) => chainOf(id).flatMap(({ run }) => run ?? []),
    isShaded(properties) {
      const shading = childOf(properties, 'shd')
      const fill = shading?.attributes['fill']
      return fill !== undefined && fill !== 'auto' && !isWhite(fill)
    },
  }
}

/** In half points; smaller letters are invisible on paper. */
const smallestSize = 4

/** Whether a run is visible; `shaded` means that its background is not white. */
export function runLook(
  run: XmlElement,
  styles: DocxStyles,
  paragraphStyle: string | undefined,
  shaded: boolean,
): { readonly hidden: boolean } {
  const own = childOf(run, 'rPr')
  const style = valueOf(childOf(own, 'rStyle'))
  const layers = [...(own ? [own] : []), ...styles.runsOf(style), ...styles.runsOf(paragraphStyle)]
  const first = (name: string) => layers.flatMap((layer) => childOf(layer, name) ?? [])[0]
  const vanish = first('vanish')
  if (vanish && !['0', 'false', 'off'].includes(valueOf(vanish) ?? '')) return { hidden: true }
  const size = Number(valueOf(first('sz')) ?? 22)
  if (size <= smallestSize) return { hidden: true }
  const onColor = shaded || layers.some((layer) => styles.isShaded(layer)) || first('highlight') !== undefined
  return { hidden: isWhite(valueOf(first('color'))) && !onColor }
}
