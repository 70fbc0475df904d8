import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { narrowSource } from './narrow-sources.mjs'

const source = `
// … a comment
/*! a licence */
"use strict"
const found = [...'a汉😀b’'.matchAll(/[汉\u{1F600}😀]|\\/’/gu)].map(([one]) => one)
const plain = ['（', '…', '–', '\\\\n'].map((text) => /[＂-（]|\\…|\\\\n/.test(text))
;({ found, plain, 语言: '中文…', template: \`行\\n\${'é'}\`, name: (function named() {}).name })
`
const raw = "String.raw`…\\u4e00${1 + 1}` + ((parts) => parts.raw.join('|'))`一${0}二` + /…/.test('…')"

const result = (code: string) => JSON.stringify(runInNewContext(code))

it('gives equivalent ASCII, without comments except licences', async () => {
  const narrow = await narrowSource(source)
  expect(narrow).toMatch(/^\p{ASCII}*$/u)
  expect(narrow).toContain('a licence')
  expect(narrow).not.toContain('a comment')
  expect(result(narrow)).toBe(result(source))
})

it('leaves code unchanged whose meaning would change', async () => {
  expect(result(await narrowSource(raw))).toBe(result(raw))
})
