import { expect, test } from 'vitest'
import { showValue, type DisplayPorts } from './display-value'

const canvas = { isCanvas: true }
const ports: DisplayPorts = {
  toDataUrl: async (blob) => `data:${blob.type};base64,${btoa(await blob.text())}`,
  chart: (spec) => Promise.resolve(`<svg>${JSON.stringify(spec)}</svg>`),
  drawing: (value) => (value === canvas ? Promise.resolve(new Blob(['png'], { type: 'image/png' })) : null),
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"></svg>'

test.each<[unknown, string, string]>([
  ['words', 'text', 'words'],
  [svg, 'svg', svg],
  [`<?xml version="1.0"?>\n<!-- note -->${svg}`, 'svg', `<?xml version="1.0"?>\n<!-- note -->${svg}`],
  ['data:image/png;base64,AAAA', 'image', 'data:image/png;base64,AAAA'],
  ['data:text/html,x', 'text', 'data:text/html,x'],
  [{ a: [1] }, 'json', '{"a":[1]}'],
  [{ html: '<b>x</b>' }, 'html', '<b>x</b>'],
  [{ svg }, 'svg', svg],
  [{ html: '<b>x</b>', other: 1 }, 'json', '{"html":"<b>x</b>","other":1}'],
  [{ html: 5 }, 'json', '{"html":5}'],
  [new Blob(['img'], { type: 'image/gif' }), 'image', 'data:image/gif;base64,aW1n'],
  [new Blob([svg], { type: 'image/svg+xml' }), 'svg', svg],
  [new Blob(['xx']), 'text', 'Blob of 2 bytes'],
  [canvas, 'image', 'data:image/png;base64,cG5n'],
  [new Map([[1, 2]]), 'table', '{"columns":["key","value"],"rows":[[1,2]],"total":1}'],
  [[{ a: 1 }, { a: 2 }], 'table', '{"columns":["a"],"rows":[[1],[2]],"total":2}'],
  [new Map(), 'text', 'Map(0) {}'],
  [5, 'text', '5'],
])('%# shows as %s', async (value, kind, data) => {
  expect(await showValue(value, ports)).toEqual({ kind, data })
})
