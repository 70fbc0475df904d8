import { isRecord } from '@/lib/base/is-record'

/** A chart's specification, as foreign code or a model wrote it. */
export type ChartSpec = Readonly<Record<string, unknown>>

const marks = new Set(
  'arc area bar boxplot circle errorband errorbar geoshape image line point rect rule square text tick trail'.split(
    ' ',
  ),
)
const views = ['mark', 'layer', 'facet', 'hconcat', 'vconcat', 'concat', 'repeat', 'spec'] as const

const quote = (value: unknown) => JSON.stringify(value)?.slice(0, 80) ?? String(value)

/** Full Vega, not Vega-Lite: by its `$schema`, or by what only it has. */
export const isVegaSpec = (spec: ChartSpec): boolean =>
  typeof spec.$schema === 'string' ? /\/vega\/v\d/.test(spec.$schema) : Array.isArray(spec.marks)

/** Where a Vega-Lite spec says something that can't be drawn, as a sentence with the part's path; null when none is seen. */
export function flawOfSpec(spec: ChartSpec, path = ''): string | null {
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

/** Fields that a single view names and that its rows do not have; not looked for where transforms make new ones. */
export function missingField(spec: ChartSpec, row: unknown): string | null {
  if (!isRecord(row) || !isRecord(spec.encoding) || spec.transform !== undefined) return null
  for (const [channel, definition] of Object.entries(spec.encoding)) {
    const field = isRecord(definition) ? definition.field : undefined
    if (typeof field !== 'string' || /[.[\\]/.test(field) || Object.hasOwn(row, field)) continue
    const there = Object.keys(row).filter((key) => key !== 'Symbol(vega_id)')
    return `\`encoding.${channel}.field\` is ${quote(field)}, but the data has: ${there.slice(0, 30).join(', ')}.`
  }
  return null
}
