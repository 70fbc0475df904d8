import { deflateSync } from 'node:zlib'

export interface PdfPage {
  /** Operators of the page. */
  readonly content: string
  /** More entries for the page's dictionary. */
  readonly more?: string
}

export interface PdfParts {
  readonly pages: readonly PdfPage[]
  /** More objects, from number 100 on, without `obj` and `endobj`. */
  readonly objects?: Readonly<Record<number, string | Buffer>>
  /** More entries for the catalog. */
  readonly catalog?: string
  readonly resources?: string
  /** More fonts. */
  readonly fonts?: string
}

export const stream = (data: Buffer | string, more = ''): Buffer => {
  const bytes = Buffer.from(data)
  return Buffer.concat([
    Buffer.from(`<</Length ${bytes.length} ${more}>>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

/** A PDF with Helvetica as `F1`; other fonts need objects of their own. */
export function makePdf({ pages, objects = {}, catalog = '', resources = '', fonts = '' }: PdfParts): Uint8Array {
  const all = new Map<number, Buffer>()
  const kids = pages.map((_, index) => `${10 + index * 2} 0 R`)
  all.set(1, Buffer.from(`<</Type/Catalog/Pages 2 0 R ${catalog}>>`))
  all.set(2, Buffer.from(`<</Type/Pages/Kids[${kids.join(' ')}]/Count ${pages.length}>>`))
  all.set(3, Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>'))
  for (const [index, { content, more = '' }] of pages.entries()) {
    const number = 10 + index * 2
    const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${number + 1} 0 R/Resources<</Font<</F1 3 0 R ${fonts}>>${resources}>>${more}>>`
    all.set(number, Buffer.from(page))
    all.set(number + 1, stream(deflateSync(Buffer.from(content)), '/Filter/FlateDecode'))
  }
  for (const [number, object] of Object.entries(objects)) all.set(1000 + Number(number), Buffer.from(object))
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const places = new Map<number, number>()
  let at = pieces[0]?.length ?? 0
  for (const [number, object] of all) {
    places.set(number, at)
    const whole = Buffer.concat([Buffer.from(`${number} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    pieces.push(whole)
    at += whole.length
  }
  const table = [...places].map(([number, place]) => `${number} 1\n${String(place).padStart(10, '0')} 00000 n \n`)
  const end = `xref\n0 1\n0000000000 65535 f \n${table.join('')}trailer\n<</Size 5000/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`
  return new Uint8Array(Buffer.concat([...pieces, Buffer.from(end)]))
}

/** A PDF of 3 kB whose last page unpacks to 200 MB, three times the limit. */
export const bombPdf = (before: readonly PdfPage[]): Uint8Array => {
  const packed = deflateSync(deflateSync(Buffer.alloc(200_000_000, 32)))
  const form = '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter[/FlateDecode/FlateDecode]'
  return makePdf({
    pages: [...before, { content: '/Fm Do\n' }],
    resources: '/XObject<</Fm 1001 0 R>>',
    objects: { 1: stream(packed, form) },
  })
}

/** A PDF whose last page draws eight forms that draw eight forms, eleven times over. */
export function formsInFormsPdf(before: readonly PdfPage[]): Uint8Array {
  const depth = 11
  const forms = Array.from({ length: depth }, (_, n) => {
    const isLast = n + 1 === depth
    const next = isLast ? '' : `/Resources<</XObject<</Fm ${1002 + n} 0 R>>>>`
    const content = isLast ? 'BT ET\n' : '/Fm Do\n'.repeat(8)
    return [n + 1, stream(content, `/Type/XObject/Subtype/Form/BBox[0 0 9 9]${next}`)] as const
  })
  return makePdf({
    pages: [...before, { content: '/Fm Do\n' }],
    resources: '/XObject<</Fm 1001 0 R>>',
    objects: Object.fromEntries(forms),
  })
}

const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&')

/** A line of text at a position, in Helvetica. */
export const line = (x: number, y: number, text: string, size = 11): string =>
  `BT /F1 ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET\n`

/** Lines of text below each other. */
export const lines = (x: number, y: number, texts: readonly string[], size = 11): string =>
  texts.map((text, index) => line(x, y - index * size * 1.3, text, size)).join('')
