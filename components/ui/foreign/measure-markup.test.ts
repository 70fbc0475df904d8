import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureMarkup, mostCost } from './measure-markup'

const svg = (inside: string, attributes = '') => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`
const levels = (depth: number, by: (ref: string) => string, wide = 10): string =>
  '<rect id="a0" width="1" height="1"/>' +
  Array.from({ length: depth }, (_, at) => `<g id="a${at + 1}">${by(`a${at}`).repeat(wide)}</g>`).join('')

describe('repeated content counts repeatedly', () => {
  test.each<[string, (ref: string) => string]>([
    ['use', (ref) => `<use href="#${ref}"/>`],
    ['use by xlink', (ref) => `<use xlink:href='#${ref}'></use>`],
    ['use by a character reference', (ref) => `<use href="&#35;${ref}"/>`],
    ['use by a percent code', (ref) => `<use href="#${ref.replace('a', '%61')}"/>`],
    ['use with spaces', (ref) => `<use\n href = " #${ref} " />`],
    ['an attribute of fill', (ref) => `<rect fill="url(#${ref})"/>`],
    ['a quoted url', (ref) => `<rect mask='url( "#${ref}" )'/>`],
    ['a style', (ref) => `<rect style="clip-path:url(#${ref})"/>`],
    ['markers', (ref) => `<path d="M0 0L1 1" marker-mid="url(#${ref})"/>`],
    ['a picture of an element', (ref) => `<feImage href="#${ref}"/>`],
  ])('%s', (_name, by) => {
    expect(measureMarkup(svg(levels(3, by))).cost).toBeGreaterThan(1_000)
    expect(measureMarkup(svg(`${levels(5, by)}<use href="#a5"/>`)).cost).toBeGreaterThan(100_000)
    expect(measureMarkup(svg(levels(12, by))).cost).toBe(mostCost)
  })

  test('patterns within patterns', () => {
    const inside = Array.from(
      { length: 8 },
      (_, at) => `<pattern id="p${at + 1}">${`<rect fill="url(#p${at})"/>`.repeat(10)}</pattern>`,
    ).join('')
    expect(measureMarkup(svg(`<rect id="p0"/>${inside}<rect fill="url(#p8)"/>`)).cost).toBeGreaterThan(10_000_000)
  })

  test('in a style sheet, which may match every element', () => {
    const many = '<rect/>'.repeat(1_000)
    const bomb = levels(3, (ref) => `<use href="#${ref}"/>`)
    for (const css of ['rect{fill:url(#a3)}', 'rect{fill:u\\72l(#a3)}', '<![CDATA[rect{mask:url("#a3")}]]>']) {
      expect(measureMarkup(svg(`<style>${css}</style><defs>${bomb}</defs>${many}`)).cost).toBeGreaterThan(1_000_000)
    }
  })

  test('filters are expensive where they are used', () => {
    const filter = '<filter id="f"><feTurbulence/><feGaussianBlur stdDeviation="50"/></filter>'
    expect(measureMarkup(svg(filter + '<rect filter="url(#f)"/>'.repeat(100))).cost).toBeGreaterThan(300_000)
    expect(measureMarkup(svg('<g style="filter:blur(1px)"/>'.repeat(1_000))).cost).toBeGreaterThan(200_000)
    expect(measureMarkup(svg('<style>*{filter:blur(9px)}</style>' + '<rect/>'.repeat(3_000))).cost).toBeGreaterThan(
      200_000,
    )
  })
})

describe('filters of a style sheet', () => {
  const rects = '<rect class="a" id="b"/>'.repeat(2_000)
  const costOf = (sheet: string, inside = rects) => measureMarkup(svg(`<style>${sheet}</style>${inside}`)).cost

  test.each([
    '*{filter:blur(9px)}',
    'rect{filter:blur(9px)}',
    'g, svg > RECT{filter:drop-shadow(1px 1px 2px red)}',
    '.x,.A{filter:blur(9px)}',
    'g #b{filter:blur(9px)}',
    'rect[class="a"].a{filter:blur(9px)}',
    'rect:hover{filter:blur(9px)}',
    ':not(g){filter:blur(9px)}',
    ':is(g, rect){filter:blur(9px)}',
    '@media (min-width:1px){rect{filter:blur(9px)}}',
    'svg{color:red; rect{filter:blur(9px)}}',
    '@keyframes k{from{filter:blur(9px)}} rect{animation:k 1s}',
    '@keyframes k{50%{filter:blur(9px)}} rect{animation:k 1s}',
    'svg{--f:blur(9px)} rect{filter:var(--f)}',
    'g{content:"}rect{"} x{content:"{";filter:blur(9px)}',
    'rect{background:url(}g{);filter:blur(9px)}',
    'r\\65 ct{filter:blur(9px)}',
    'rect/**/{filter:blur(9px)}',
    '<![CDATA[rect{filter:blur(9px)}]]>',
  ])('count for everything that they may match: %s', (sheet) => {
    expect(costOf(sheet)).toBeGreaterThan(200_000)
  })

  test('count for what an animation or an entity may turn an element into', () => {
    expect(costOf('.x{filter:blur(9px)}', `<set attributeName="class" to="x"/>${rects}`)).toBeGreaterThan(200_000)
    expect(costOf('.x_y{filter:blur(9px)}', '<g class="x&lowbar;y"/>'.repeat(2_000))).toBeGreaterThan(200_000)
    expect(costOf('rect{filter:blur(9px)}', '<s:rect/>'.repeat(2_000))).toBeGreaterThan(200_000)
  })

  test.each([
    '.node[data-look="neo"]{filter:drop-shadow(1px 2px 2px rgba(0,0,0,.2))}',
    '#x .y{filter:blur(9px)}',
    'ellipse,.a .c,[hidden]{filter:blur(9px)}',
    '@media print{circle{filter:blur(9px)}}',
  ])('count nothing for what they do not match: %s', (sheet) => {
    expect(costOf(sheet)).toBeLessThan(10_000)
  })

  test('are measured quickly, however many there are', () => {
    expect(costOf('.a,.b,.c,.d{filter:blur(1px)}'.repeat(5_000), '<g/>'.repeat(50_000))).toBeGreaterThan(1_000_000)
  })
})

test.each([
  ['entities', '<!DOCTYPE svg [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><svg>&b;</svg>'],
  ['a picture inside', svg('<image href="data:image/svg+xml;base64,AAAA"/>')],
  ['a picture inside, spelled otherwise', svg('<image href=" d&#97;ta:image/svg+xml,x"/>')],
  ['a picture of a style', svg('<style>g{background:url(data:image/svg+xml,x)}</style>')],
  ['depth', svg('<g>'.repeat(10_000))],
  ['a filter with many octaves', svg('<feTurbulence numOctaves="100"/>')],
  ['a filter on a very large picture', svg('<filter/>', 'width="30000" height="30000"')],
])('%s is a risk', (_name, text) => {
  expect(measureMarkup(text).risk).not.toBeNull()
})

test('everyday pictures are cheap', () => {
  const bars = Array.from({ length: 3_000 }, (_, n) => `<path d="M${n},0h5v9h-5Z" fill="url(#g)"/>`).join('')
  const gradient = '<linearGradient id="g"><stop/><stop/><stop/></linearGradient>'
  const drawing = measureMarkup(svg(gradient + bars, 'width="640" height="400px" viewBox="0 0 1 1"'))
  expect(drawing).toEqual({ cost: expect.any(Number) as number, risk: null, width: 640, height: 400 })
  expect(drawing.cost).toBeLessThan(10_000)
  expect(measureMarkup(svg('<image href="data:image/png;base64,AAAA"/>')).risk).toBeNull()
  expect(measureMarkup(svg('', 'viewBox="0 0 30 20"'))).toMatchObject({ width: 30, height: 20 })
  const page = `<!doctype html><style>q::before{content:"\\201C"}</style>${'<p class="x">words <a href="#top">up</a></p>'.repeat(2_000)}`
  expect(measureMarkup(page)).toMatchObject({ risk: null })
  expect(measureMarkup(page).cost).toBeLessThan(20_000)
})

test('circular references end, as in a browser', () => {
  expect(measureMarkup(svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>')).cost).toBeLessThan(50)
})

test('any text is measured, and long ones quickly', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '/',
    '=',
    'svg',
    '<g id="a">',
    '<use href="#a"/>',
    '<!--',
    '<style>',
    '&#',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(measureMarkup(pieces.join('')).cost).toBeGreaterThanOrEqual(0)
    }),
  )
  for (const part of [
    '<a "',
    '<',
    '<g ',
    '</g>',
    "<g a='",
    '<style>',
    '<!--',
    '<![CDATA[',
    '<!',
    '&#',
    '<g id="x"><use href="#x"/>',
  ]) {
    expect(measureMarkup(part.repeat(Math.floor(600_000 / part.length))).cost).toBeGreaterThanOrEqual(0)
  }
  const chain = Array.from({ length: 20_000 }, (_, at) => `<g id="c${at + 1}"><use href="#c${at}"/></g>`).join('')
  expect(measureMarkup(svg(chain)).cost).toBeGreaterThan(20_000)
})
