import { errorText } from '@/lib/base/app-error'
import { parse, View, type Loader, type LoggerInterface, type Spec } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import { sealedInterpreter } from './sealed-expressions'
import { isRecord } from '@/lib/base/json'

/** A chart's specification, written by untrusted code or a model. */
type ChartSpec = Readonly<Record<string, unknown>>

const marks = new Set(
  'arc area bar boxplot circle errorband errorbar geoshape image line point rect rule square text tick trail'.split(
    ' ',
  ),
)
const views = ['mark', 'layer', 'facet', 'hconcat', 'vconcat', 'concat', 'repeat', 'spec'] as const

const quote = (value: unknown) => JSON.stringify(value)?.slice(0, 80) ?? String(value)

/** Whether it is full Vega, not Vega-Lite: by its `$schema`, or by keys that only Vega has. */
const isVegaSpec = (spec: ChartSpec): boolean =>
  typeof spec.$schema === 'string' ? /\/vega\/v\d/.test(spec.$schema) : Array.isArray(spec.marks)

/** The first part of a Vega-Lite spec that can't be drawn, as a message with the part's path; null if none is found. */
function flawOfSpec(spec: ChartSpec, path = ''): string | null {
  if (!views.some((view) => spec[view] !== undefined)) {
    return `${path === '' ? 'The spec' : `\`${path}\``} has no \`mark\`. It needs one, as "bar", and an \`encoding\`.`
  }
  const { mark } = spec
  const name = isRecord(mark) ? mark.type : mark
  if (mark !== undefined && (typeof name !== 'string' || !marks.has(name))) {
    return `\`${path}mark\` is ${quote(name)}; it may be ${[...marks].join(', ')}.`
  }
  for (const part of ['layer', 'hconcat', 'vconcat', 'concat'] as const) {
    const children = spec[part]
    if (children === undefined) continue
    if (!Array.isArray(children)) return `\`${path}${part}\` has to be a list of views.`
    for (const [at, child] of children.entries()) {
      const where = `${path}${part}[${at}]`
      const flaw = isRecord(child) ? flawOfSpec(child, `${where}.`) : `\`${where}\` has to be a view with a \`mark\`.`
      if (flaw !== null) return flaw
    }
  }
  if (isRecord(spec.spec)) return flawOfSpec(spec.spec, `${path}spec.`)
  return null
}

/** A field that a single view names and its rows do not have; not checked if transforms create new fields. */
function missingField(spec: ChartSpec, row: unknown): string | null {
  if (!isRecord(row) || !isRecord(spec.encoding) || spec.transform !== undefined) return null
  for (const [channel, definition] of Object.entries(spec.encoding)) {
    const field = isRecord(definition) ? definition.field : undefined
    if (typeof field !== 'string' || /[.[\\]/.test(field) || Object.hasOwn(row, field)) continue
    const there = Object.keys(row).filter((key) => key !== 'Symbol(vega_id)')
    return `\`encoding.${channel}.field\` is ${quote(field)}, but the data has: ${there.slice(0, 30).join(', ')}.`
  }
  return null
}

export interface ChartPorts {
  /** A file of the chat as text; throws an error with a message. */
  readonly readText: (path: string) => Promise<string>
}

export interface Chart {
  readonly svg: string
  /** Parts that the library did not understand and ignored. */
  readonly warnings: readonly string[]
}

const maxSpecCharacters = 5_000_000
const maxSvgCharacters = 1_900_000

// Shown as an <img>, where only the system's fonts are available, and on white in both themes: chart colours are chosen
// for a light background, and a saved picture has to be readable anywhere.
const look = {
  background: '#ffffff',
  padding: 12,
  font: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  view: { continuousWidth: 520, continuousHeight: 300, discreteWidth: 520, stroke: '#d9dce1' },
  axis: {
    labelColor: '#454b55',
    titleColor: '#22262d',
    gridColor: '#e8eaee',
    domainColor: '#9aa1ac',
    tickColor: '#9aa1ac',
  },
  axisXDiscrete: { labelAngle: -35, labelAlign: 'right', labelBaseline: 'middle' },
  legend: { labelColor: '#454b55', titleColor: '#22262d' },
  title: { color: '#22262d', fontSize: 14, fontWeight: 600, anchor: 'start' },
} as const

const wordsOf = (args: readonly unknown[]) =>
  args
    .map((arg) => errorText(arg))
    .join(' ')
    .slice(0, 400)

/** Collects the library's warnings; its errors end the drawing. */
function createLog() {
  const warnings: string[] = []
  const errors: string[] = []
  const add = (list: string[], args: readonly unknown[]) => {
    if (list.length < 5 && !list.includes(wordsOf(args))) list.push(wordsOf(args))
  }
  const log: LoggerInterface = {
    level: () => log,
    error: (...args: readonly unknown[]) => (add(errors, args), log),
    warn: (...args: readonly unknown[]) => (add(warnings, args), log),
    info: () => log,
    debug: () => log,
  }
  return { log, warnings, errors }
}

function createLoader({ readText }: ChartPorts, failures: string[]): Loader {
  const load = async (uri: string): Promise<string> => {
    const path = uri.replace(/^file:\/\//, '')
    try {
      if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) {
        const instead = 'give the path of a file of this chat, as "/data.csv", or put the rows into `data.values`'
        throw new Error(`\`data.url\` is ${path.slice(0, 200)}, and there is no network here: ${instead}.`)
      }
      return await readText(path)
    } catch (thrown) {
      failures.push(errorText(thrown))
      throw thrown
    }
  }
  // A link in a chart remains text: the picture is an <img>, which loads nothing.
  const sanitize = (uri: string) => Promise.resolve({ href: /^data:image\//i.test(uri) ? uri : '' })
  return { load, sanitize, http: load, file: load }
}

const fixed = (spec: ChartSpec): ChartSpec => ({
  ...spec,
  ...(spec.width === 'container' && { width: look.view.continuousWidth }),
  ...(spec.height === 'container' && { height: look.view.continuousHeight }),
})

function toVega(spec: ChartSpec, log: LoggerInterface): Spec {
  if (isVegaSpec(spec)) return { background: look.background, padding: look.padding, ...spec }
  const flaw = flawOfSpec(spec)
  if (flaw !== null) throw new Error(flaw)
  return compile(fixed(spec) as unknown as TopLevelSpec, { config: look, logger: log }).spec
}

function firstRow(view: View): unknown {
  try {
    return view.data('source_0')[0]
  } catch {
    return undefined
  }
}

const says = (thrown: unknown) => errorText(thrown).slice(0, 600)

/**
 * Draws a Vega-Lite (or Vega) spec as SVG, without a page: data comes with it or from the chat's files. Rejects with a
 * message that names the wrong part of the spec, if it is known.
 */
export async function renderChart(spec: unknown, ports: ChartPorts): Promise<Chart> {
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) {
    throw new Error('A chart takes a Vega-Lite spec: an object with `data`, `mark` and `encoding`.')
  }
  const text = JSON.stringify(spec)
  if (text.length > maxSpecCharacters) {
    throw new Error(
      'The chart’s spec is too large (over 5 MB): put the rows in a file and give its path as `data.url`.',
    )
  }
  const { log, warnings, errors } = createLog()
  const failures: string[] = []
  let view: View | null = null
  try {
    const plain = JSON.parse(text) as ChartSpec
    const runtime = parse(toVega(plain, log), undefined, { ast: true })
    const loader = createLoader(ports, failures)
    view = new View(runtime, { renderer: 'none', loader, logger: log, expr: sealedInterpreter })
    const svg = await view.toSVG()
    const flaw = failures[0] ?? (isVegaSpec(plain) ? null : missingField(plain, firstRow(view))) ?? errors[0]
    if (flaw !== undefined) throw new Error(flaw)
    if (svg.length > maxSvgCharacters) {
      throw new Error('The drawn chart is too large: show fewer marks, by aggregating, binning or sampling the rows.')
    }
    return { svg, warnings }
  } catch (thrown) {
    throw new Error(`The chart can’t be drawn. ${failures[0] ?? says(thrown)}`, { cause: thrown })
  } finally {
    view?.finalize()
  }
}
