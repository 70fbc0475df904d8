import vm from 'node:vm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundleLibrary } from '@/scripts/build-sandbox.mjs'
import type { Chart, ChartPorts } from './render-chart'

// The file that the sandbox loads, in a separate realm: what a chart could reach there is what it could reach in a
// worker.

type Draw = (spec: unknown, ports: ChartPorts) => Promise<Chart>

interface Realm {
  readonly draw: Draw
  /** What untrusted code reached, if any ran. */
  readonly reached: readonly unknown[]
  readonly prototypes: () => string
}

let library = ''
beforeAll(async () => {
  library = await bundleLibrary('vega.ts')
}, 60_000)

function realm(): Realm {
  const reached: unknown[] = []
  const loaded = { exports: {} as { renderChart: Draw } }
  const world = vm.createContext({
    module: loaded,
    exports: loaded.exports,
    require: () => ({}),
    reach: (...given: unknown[]) => reached.push(given),
    setTimeout,
    setInterval,
    clearInterval,
    clearTimeout,
    performance,
    console: { error: () => {}, warn: () => {}, log: () => {} },
  })
  // Created inside, so that no value leads out of the realm.
  vm.runInContext('globalThis.structuredClone = (value) => JSON.parse(JSON.stringify(value))', world)
  vm.runInContext(library, world)
  const prototypes = () =>
    vm.runInContext(
      `[Object, Array, String, Number, Function, RegExp, Date, Map, Set, Promise].map((kind) =>
        Object.getOwnPropertyNames(kind.prototype) + ':' + Object.getOwnPropertyNames(kind)).join()`,
      world,
    ) as string
  return { draw: loaded.exports.renderChart, reached, prototypes }
}

const files: ChartPorts = { readText: async () => '[[0],[1]]' }
const code = JSON.stringify('reach(1); return 1')
const vega = (parts: object) => ({
  $schema: 'https://vega.github.io/schema/vega/v6.json',
  width: 20,
  height: 20,
  marks: [],
  ...parts,
})
const formulas = (values: unknown, ...steps: readonly (readonly [as: string, expr: string])[]) =>
  vega({ data: [{ name: 't', values, transform: steps.map(([as, expr]) => ({ type: 'formula', as, expr })) }] })
const lite = (transform: readonly object[], values: unknown = [{ a: 1 }]) => ({
  data: { values },
  transform,
  mark: 'bar',
  encoding: { x: { field: 'a', type: 'quantitative' } },
})

/** Expressions that would reach a function constructor. */
const makers = [
  '[].constructor.constructor',
  '""["constructor"]["constructor"]',
  'datum.constructor.constructor',
  'datum["__proto__"].constructor.constructor',
  '{}.constructor.constructor',
  'toDate(0).constructor.constructor',
  'regexp("a").constructor.constructor',
  'pluck([datum], "constructor.constructor")[0]',
  'pluck([[]], "constructor.constructor")[0]',
  'datum["con" + "structor"]["con" + "structor"]',
  'pathShape("M0").constructor',
]
const callers = [
  'join',
  'slice',
  'indexof',
  'lastindexof',
  'reverse',
  'sort',
  'length',
  'replace',
  'split',
  'test',
  'format',
]
const methodOf: Readonly<Record<string, string>> = { indexof: 'indexOf', lastindexof: 'lastIndexOf' }

const attempts: readonly (readonly [string, unknown])[] = [
  ...makers.flatMap((maker) =>
    [[[0]], [{ a: 1 }], [[[0]]], 'x'].map(
      (values) =>
        [
          `${maker} of ${JSON.stringify(values)}`,
          formulas(values, ['join', maker], ['slice', `join(datum, ${code})`], ['x', 'slice(datum)']),
        ] as const,
    ),
  ),
  ...callers.map(
    (name) =>
      [
        `own ${name}`,
        formulas([[0]], [methodOf[name] ?? name, makers[0] ?? ''], ['f', `${name}(datum, ${code})`], ['x', 'f']),
      ] as const,
  ),
  [
    'fields in place of expressions',
    vega({
      data: [
        {
          name: 't',
          values: [[0], { a: 1 }],
          transform: [
            { type: 'project', fields: ['constructor.constructor', 'a'], as: ['join', 'toString'] },
            { type: 'formula', as: 'slice', expr: `join(datum, ${code})` },
            { type: 'formula', as: 'x', expr: 'slice(datum)' },
          ],
        },
      ],
    }),
  ],
  [
    'a lookup, a flatten and a fold of what is inherited',
    vega({
      data: [
        { name: 's', values: [{ k: 'constructor' }] },
        {
          name: 't',
          values: [{ k: 'constructor', l: [[0]] }],
          transform: [
            { type: 'lookup', from: 's', key: 'k', fields: ['k'], values: ['constructor.constructor'], as: ['join'] },
            { type: 'flatten', fields: ['l'], as: ['slice'] },
            { type: 'fold', fields: ['constructor.constructor', 'constructor'] },
            { type: 'formula', as: 'x', expr: `value(datum, ${code})` },
          ],
        },
      ],
    }),
  ],
  ...['constructor', '__proto__', 'toString', 'valueOf', '__defineGetter__', 'hasOwnProperty'].flatMap((name) => [
    [
      `a signal ${name}`,
      vega({
        signals: [
          { name, value: 1 },
          { name: 's', update: name },
        ],
      }),
    ] as const,
    [`a call of ${name}`, formulas([{ a: 1 }], ['x', `${name}(${code})`])] as const,
    [`a call of _${name}`, formulas([{ a: 1 }], ['x', `_${name}(${code})`])] as const,
    [
      `an aggregate ${name}`,
      vega({
        data: [
          { name: 't', values: [{ a: 1 }], transform: [{ type: 'aggregate', ops: [name], fields: ['a'], as: ['x'] }] },
        ],
      }),
    ] as const,
    [
      `a window ${name}`,
      vega({
        data: [
          { name: 't', values: [{ a: 1 }], transform: [{ type: 'window', ops: [name], fields: ['a'], as: ['x'] }] },
        ],
      }),
    ] as const,
    [
      `a scale ${name}`,
      vega({ scales: [{ name: 's', type: name, domain: [0, 1], range: 'width', interpolate: name, scheme: name }] }),
    ] as const,
    [`a projection ${name}`, vega({ projections: [{ name: 'p', type: name }] })] as const,
    [
      `a format ${name}`,
      vega({
        data: [
          { name: 't', url: '/t.json', format: { type: name, property: `${name}.constructor`, parse: { a: name } } },
        ],
      }),
    ] as const,
    [`a transform ${name}`, vega({ data: [{ name: 't', values: [1], transform: [{ type: name }] }] })] as const,
    [
      `a mark ${name}`,
      vega({
        marks: [
          { type: name },
          {
            type: 'symbol',
            shape: name,
            encode: { enter: { [name]: { signal: '[].constructor' }, shape: { value: name } } },
          },
        ],
      }),
    ] as const,
    [
      `a config ${name}`,
      vega({
        config: {
          [name]: { constructor: 1 },
          locale: { number: { [name]: 1, decimal: name, thousands: name, grouping: name, currency: name } },
        },
      }),
    ] as const,
    [`Vega-Lite, ${name}`, lite([{ calculate: `datum.${name}.constructor(${code})`, as: 'a' }])] as const,
    [`Vega-Lite, aggregate ${name}`, lite([{ aggregate: [{ op: name, field: 'a', as: 'a' }] }])] as const,
    [`Vega-Lite, window ${name}`, lite([{ window: [{ op: name, field: `${name}.constructor`, as: 'a' }] }])] as const,
    [
      `Vega-Lite, a parameter ${name}`,
      {
        ...lite([]),
        params: [
          { name, expr: '[].constructor' },
          { name: 'p', expr: name },
        ],
      },
    ] as const,
  ]),
  [
    'signals, their updates and a stream of events',
    vega({
      signals: [
        { name: 'l', value: [0], init: '[[].constructor.constructor]' },
        { name: 'f', update: 'l[0]' },
        {
          name: 'g',
          on: [
            {
              events: { type: 'timer', throttle: 1 },
              update: `join([], ${code}, event.constructor.constructor(${code}))`,
            },
          ],
        },
        {
          name: 'h',
          on: [{ events: { signal: 'f' }, update: `view().constructor.constructor(${code})()`, force: true }],
        },
      ],
    }),
  ],
  [
    'an expression as a tree of the spec’s own',
    vega({
      data: [
        {
          name: 't',
          values: [{ a: 1 }],
          transform: [
            {
              type: 'formula',
              as: 'x',
              expr: {
                $expr: {
                  code: `Function(${code})()`,
                  ast: {
                    type: 'CallExpression',
                    callee: { type: 'Identifier', name: 'constructor' },
                    arguments: [{ type: 'Literal', value: 'reach(1)' }],
                  },
                },
              },
            },
            { type: 'filter', expr: { $expr: { code: 'reach(2)', ast: { type: 'constructor' } } } },
            {
              type: 'filter',
              expr: {
                $expr: {
                  code: 'reach(3)',
                  ast: { type: 'UnaryExpression', operator: 'constructor', argument: { type: 'Literal', value: 1 } },
                },
              },
            },
          ],
        },
      ],
    }),
  ],
  [
    'rows that are put in by a trigger',
    vega({
      signals: [{ name: 's', value: 1, update: '2' }],
      data: [
        {
          name: 't',
          values: [[0]],
          on: [{ trigger: 's', insert: '[[0], [[1]]]' }],
          transform: [
            { type: 'formula', as: 'join', expr: 'pathShape("M0")' },
            { type: 'formula', as: 'x', expr: `join(datum, ${code})` },
          ],
        },
      ],
    }),
  ],
  [
    'rows of a file',
    vega({ data: [{ name: 't', url: '/rows.json', transform: [{ type: 'formula', as: 'x', expr: 'join(datum)' }] }] }),
  ],
  [
    'the encoding of a mark',
    vega({
      marks: [
        {
          type: 'symbol',
          encode: {
            enter: {
              join: { signal: '[].constructor.constructor' },
              __proto__x: { signal: `item.constructor.constructor(${code})` },
              x: { signal: `item.mark.constructor.constructor(${code})()` },
              y: { field: 'constructor.constructor' },
              size: { field: { parent: 'constructor.constructor' } },
            },
          },
        },
      ],
    }),
  ],
]

describe('a spec reaches nothing but its data', () => {
  let shared: Realm
  let before = ''
  beforeAll(() => {
    shared = realm()
    before = shared.prototypes()
  })
  test.each(attempts)('%s', async (_name, spec) => {
    await shared.draw(spec, files).catch((thrown: unknown) => {
      expect((thrown as Error).message).toContain('The chart can’t be drawn.')
    })
    expect(shared.reached).toEqual([])
    expect(shared.prototypes()).toBe(before)
  })

  test('members reach nothing either, by any name and of any value', async () => {
    const name = fc.constantFrom(
      'constructor',
      '__proto__',
      'prototype',
      'toString',
      'call',
      'apply',
      'bind',
      'valueOf',
      'at',
    )
    const value = fc.constantFrom(
      '[]',
      '""',
      '{}',
      'datum',
      '1',
      'toDate(0)',
      'regexp("a")',
      'pathShape("M")',
      'data("t")',
      'now',
    )
    await fc.assert(
      fc.asyncProperty(value, name, name, fc.boolean(), async (of, one, two, asList) => {
        const path = `${of}["${one}"]`
        const { svg } = await shared
          .draw(
            vega({
              data: [{ name: 't', values: asList ? [[0]] : [{ a: 1 }] }],
              marks: [
                {
                  type: 'text',
                  from: { data: 't' },
                  encode: { enter: { text: { signal: `isValid(${path}) ? 'seen ' + ${path}["${two}"] : 'nothing'` } } },
                },
              ],
            }),
            files,
          )
          .catch(() => ({ svg: '' }))
        expect(svg).not.toMatch(/native code|\[object Function|function /)
        expect(shared.reached).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

test('rows that are lists or values have them as `data`', async () => {
  const text = (values: unknown) =>
    realm().draw(
      vega({
        data: [{ name: 't', values }],
        marks: [
          { type: 'text', from: { data: 't' }, encode: { enter: { text: { signal: "join(datum.data, '+')" } } } },
        ],
      }),
      files,
    )
  expect((await text([[1, 2]])).svg).toContain('1+2')
})

test('expressions work as in Vega', async () => {
  const cases: readonly (readonly [string, string])[] = [
    ["join([1, 2], '-')", '1-2'],
    ["indexof('abc', 'c') + indexof([5, 6], 6)", '3'],
    ["lastindexof('abab', 'b') + lastindexof([1, 1], 1)", '4'],
    ["slice('abcd', 1, 3)", 'bc'],
    ["join(slice([1, 2, 3], 1), '')", '23'],
    ["join(sort([3, 1, 2]), '') + join(reverse([1, 2]), '')", '12321'],
    ["length('abc') + length([1]) + 'abc'.length", '7'],
    ["datum.o.p[0]['q r']", 'deep'],
    ["datum.a > 1 && datum.a < 3 ? upper('yes') : 'no'", 'YES'],
    ["{k: datum.a}.k + -datum.a + +'4'", '4'],
    ["replace('a.b', /\\./g, '-') + split('x,y', ',')[1]", 'a-by'],
    ["format(1234.5, ',.1f') + year(datetime(2020, 1, 1))", '1,234.52020'],
    ["if(isArray([1]), 'list', 'none')", 'list'],
  ]
  const { draw } = realm()
  for (const [expr, expected] of cases) {
    const { svg } = await draw(
      vega({
        data: [{ name: 't', values: [{ a: 2, o: { p: [{ 'q r': 'deep' }] } }] }],
        marks: [{ type: 'text', from: { data: 't' }, encode: { enter: { text: { signal: expr } } } }],
      }),
      files,
    )
    expect([expr, /<text[^>]*>([^<]*)<\/text>/.exec(svg)?.[1]]).toEqual([expr, expected])
  }
})

test.each<[string, object]>([
  [
    'bars by month',
    {
      data: {
        values: [
          { d: '2026-01-05', n: 3 },
          { d: '2026-02-07', n: 4 },
        ],
      },
      mark: 'bar',
      encoding: { x: { field: 'd', timeUnit: 'yearmonth' }, y: { aggregate: 'sum', field: 'n' } },
    },
  ],
  [
    'a histogram',
    {
      data: { values: Array.from({ length: 30 }, (_, n) => ({ n: (n * 7) % 13 })) },
      mark: 'bar',
      encoding: { x: { field: 'n', bin: true }, y: { aggregate: 'count' } },
    },
  ],
  [
    'layers with a rule',
    {
      data: {
        values: [
          { a: 'x', n: 1 },
          { a: 'y', n: 5 },
        ],
      },
      layer: [
        { mark: 'bar', encoding: { x: { field: 'a' }, y: { field: 'n', type: 'quantitative' } } },
        { mark: 'rule', encoding: { y: { aggregate: 'mean', field: 'n' } } },
      ],
    },
  ],
  [
    'a box plot',
    {
      data: { values: [1, 2, 3, 4, 40].map((n) => ({ n, k: 'a' })) },
      mark: 'boxplot',
      encoding: { x: { field: 'k' }, y: { field: 'n', type: 'quantitative' } },
    },
  ],
  [
    'facets, stacked and coloured',
    {
      data: { values: ['a', 'b'].flatMap((f) => ['x', 'y'].map((k, n) => ({ f, k, n: n + 1 }))) },
      mark: 'bar',
      encoding: { facet: { field: 'f', columns: 1 }, x: { field: 'n', type: 'quantitative' }, color: { field: 'k' } },
    },
  ],
  [
    'a pie',
    {
      data: {
        values: [
          { k: 'a', n: 1 },
          { k: 'b', n: 3 },
        ],
      },
      mark: 'arc',
      encoding: { theta: { field: 'n', type: 'quantitative' }, color: { field: 'k' } },
    },
  ],
  [
    'a loess line and a window',
    {
      data: { values: Array.from({ length: 12 }, (_, x) => ({ x, y: x * x })) },
      transform: [
        { window: [{ op: 'mean', field: 'y', as: 'm' }], frame: [-2, 2] },
        { calculate: 'datum.m / 2', as: 'h' },
      ],
      mark: 'line',
      encoding: { x: { field: 'x', type: 'quantitative' }, y: { field: 'h', type: 'quantitative' } },
    },
  ],
  [
    'nested fields and a conditional colour',
    {
      data: {
        values: [
          { o: { n: 1 }, k: 'a' },
          { o: { n: 9 }, k: 'b' },
        ],
      },
      mark: 'point',
      encoding: {
        x: { field: 'o.n', type: 'quantitative' },
        color: { condition: { test: 'datum.o.n > 5', value: 'red' }, value: 'blue' },
        tooltip: [{ field: 'o.n' }],
      },
    },
  ],
])('%s is drawn, without a warning', async (_name, spec) => {
  const { svg, warnings } = await realm().draw(spec, files)
  expect(warnings).toEqual([])
  expect(svg.match(/<(?:path|text|rect)/g)?.length ?? 0).toBeGreaterThan(3)
  expect(svg).not.toMatch(/NaN|undefined/)
})
