import { expect, test } from 'vitest'
import { mentionsFiles } from './guest-modules'

test.each([
  'return fs.readFileSync("a")',
  'const f = require("fs")',
  "import { join } from 'path'",
  'await import(name)',
  "import './mine.js'",
  'process.exit()',
  'Buffer.from("x")',
  'globalThis["f" + "s"]',
  'self[name]',
  'new Function("return fs")()',
  '[].constructor.constructor("return this")()',
  'eval(code)',
  '__dirname',
  'setTimeout(() => {}, 5)',
  "import Papa from 'papaparse'\nimport fs from 'fs'",
])('may use files: %s', (code) => {
  expect(mentionsFiles(code)).toBe(true)
})

test.each([
  'return 1',
  'const rows = [["fs", "require", "process"]]; rows.length',
  'display.chart({ mark: "bar" })',
  "import Papa from 'papaparse'\nPapa.parse('a')",
  'const { mean } = await import("simple-statistics"); mean([1])',
  'console.log("important")',
])('uses no files: %s', (code) => {
  expect(mentionsFiles(code)).toBe(false)
})
