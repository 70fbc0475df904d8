import { documentLimits, type DocumentLimits } from '../document'
import { FlawedDocument } from './flaw'

/*
 * A reader for the XML in office files, in one pass. Document types are ignored, so no entity is expanded.
 * Names have no prefixes: `w:p` is `p`.
 */

export interface XmlHandler {
  /** `attributes` are parsed only when requested. */
  open(name: string, attributes: () => Attributes): void
  close(name: string): void
  text(text: string): void
}

/** By name without prefix; the last one wins if two differ only in the prefix. */
export type Attributes = Readonly<Record<string, string>>

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  shy: '',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  copy: '©',
  reg: '®',
  deg: '°',
  times: '×',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  euro: '€',
}

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal, hex, name: string | undefined) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole
      const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
      return code > 0x10ffff || code === 0 ? '' : String.fromCodePoint(code)
    },
  )
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function readAttributes(raw: string): Attributes {
  const found: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [, name = '', double, single] of raw.matchAll(/([^\s=/"'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    found[localName(name)] = unescapeXml(double ?? single ?? '')
  return found
}

/** Where a tag that begins before `from` ends; quoted values may contain `>`. */
function endOfTag(text: string, from: number): number {
  let quote = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quote !== 0) quote = code === quote ? 0 : quote
    else if (code === 0x22 || code === 0x27) quote = code
    else if (code === 0x3e) return at
  }
  return -1
}

/** Where markup that is not an element ends: a comment, an instruction, a document type. CDATA is text. */
function skipMarkup(text: string, at: number, handler: XmlHandler): number {
  const ending = (mark: string, from: number) => {
    const end = text.indexOf(mark, from)
    return end < 0 ? text.length : end + mark.length
  }
  if (text.startsWith('<!--', at)) return ending('-->', at + 4)
  if (text.startsWith('<?', at)) return ending('?>', at + 2)
  if (text.startsWith('<![CDATA[', at)) {
    const end = text.indexOf(']]>', at + 9)
    handler.text(text.slice(at + 9, end < 0 ? text.length : end))
    return end < 0 ? text.length : end + 3
  }
  const close = text.indexOf('>', at)
  const inner = text.indexOf('[', at)
  if (inner >= 0 && inner < close) return ending('>', Math.max(0, ending(']', inner) - 1))
  return close < 0 ? text.length : close + 1
}

/** Reports every tag and text of an XML text. Malformed XML is read up to the error. Throws `FlawedDocument`. */
export function scanXml(text: string, handler: XmlHandler, limits: DocumentLimits = documentLimits): void {
  const open: string[] = []
  let elements = 0
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('<', at)
    if (next < 0 || next > at) handler.text(unescapeXml(text.slice(at, next < 0 ? text.length : next)))
    if (next < 0) return
    const second = text.charCodeAt(next + 1)
    if (second === 0x21 || second === 0x3f) {
      at = skipMarkup(text, next, handler)
      continue
    }
    const end = endOfTag(text, next + 1)
    if (end < 0) return
    at = end + 1
    if (second === 0x2f) {
      const name = localName(text.slice(next + 2, end).trim())
      // An end tag without a start tag closes nothing.
      const found = open.lastIndexOf(name)
      for (let left = found < 0 ? 0 : open.length - found; left > 0; left--) handler.close(open.pop() ?? '')
      continue
    }
    if (++elements > limits.xmlElements) throw new FlawedDocument('too-large')
    const isEmpty = text.charCodeAt(end - 1) === 0x2f
    const raw = text.slice(next + 1, isEmpty ? end - 1 : end)
    const space = raw.search(/\s/)
    const name = localName(space < 0 ? raw : raw.slice(0, space))
    handler.open(name, () => readAttributes(space < 0 ? '' : raw.slice(space)))
    if (isEmpty) handler.close(name)
    else if (open.push(name) > limits.xmlDepth) throw new FlawedDocument('too-deep')
  }
}

export interface XmlElement {
  readonly name: string
  readonly attributes: Attributes
  readonly children: readonly (XmlElement | string)[]
}

/** An XML text as a tree, below a root element without a name. Throws `FlawedDocument`. */
export function parseXml(text: string, limits: DocumentLimits = documentLimits): XmlElement {
  interface Growing extends XmlElement {
    readonly children: (XmlElement | string)[]
  }
  const root: Growing = { name: '', attributes: {}, children: [] }
  const stack: Growing[] = [root]
  scanXml(
    text,
    {
      open(name, attributes) {
        const element: Growing = { name, attributes: attributes(), children: [] }
        stack.at(-1)?.children.push(element)
        stack.push(element)
      },
      close: () => void stack.pop(),
      text: (piece) => void stack.at(-1)?.children.push(piece),
    },
    limits,
  )
  return root
}

export const elementsOf = ({ children }: XmlElement): readonly XmlElement[] =>
  children.filter((child): child is XmlElement => typeof child !== 'string')

/** The first child element with this name. */
export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element && elementsOf(element).find((child) => child.name === name)

/** The first element with this name at any depth. */
export function findElement(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of elementsOf(element)) {
    const found = child.name === name ? child : findElement(child, name)
    if (found) return found
  }
  return undefined
}

export function findAll(element: XmlElement, name: string): readonly XmlElement[] {
  return elementsOf(element).flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)])
}

export const textOf = (element: XmlElement): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')

/** An XML file's text: UTF-8 unless its byte order mark or its first line says otherwise. */
export function decodeXml(data: Uint8Array): string {
  const [first, second] = data
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(data)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(data)
  const head = new TextDecoder('latin1').decode(data.subarray(0, 200))
  const named = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(head)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(named).decode(data)
  } catch {
    return new TextDecoder().decode(data)
  }
}
