// What sandboxed code can import, and what that weighs: `npm run generate -- sandbox-libraries` writes docs/generated/sandbox-libraries.md
// from the built files and the packages' own package.json; `--check` only says whether it is stale (exit 1).
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { formatted } from '../setup/formatted.mjs'
import { buildSandboxFiles } from '../build-sandbox.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const page = path.join(root, 'docs/generated/sandbox-libraries.md')

const assets = [
  { file: 'papaparse.js', packages: ['papaparse'], use: 'reads and writes CSV' },
  { file: 'simple-statistics.js', packages: ['simple-statistics'], use: 'means, quantiles, regressions' },
  { file: 'date-fns.js', packages: ['date-fns'], use: 'calculates with and formats dates' },
  {
    file: 'vega.js',
    packages: ['vega', 'vega-lite', 'vega-interpreter'],
    use: 'charts: `display.chart`, the tool `show`',
  },
  {
    file: 'zenfs.js',
    packages: ['@zenfs/core', '@zenfs/streams', 'buffer'],
    use: '`fs`, streams and Buffer; not imported by name',
  },
  { file: 'node.js', packages: ['@noble/hashes'], use: 'Node’s other modules and ways; not imported by name' },
  { file: 'modules.js', packages: ['sucrase'], use: 'imports and TypeScript; not imported by name' },
  { file: 'document-pdf.js', packages: ['pdfjs-dist'], use: 'reads PDFs; not imported by name' },
  { file: 'sql.js', packages: ['sql.js'], use: 'SQLite, for the tool `sql_query`; not imported by name' },
  { file: 'document-html.js', packages: ['parse5'], use: 'reads pages of the web; not imported by name' },
  { file: 'document-office.js', packages: [], use: 'reads office files, books and RTF; not imported by name' },
]

const kb = (bytes) => (bytes / 1000).toFixed(1)
const versionOf = async (name) =>
  JSON.parse(await readFile(path.join(root, 'node_modules', name, 'package.json'), 'utf8')).version

async function table() {
  const files = await buildSandboxFiles()
  const rows = await Promise.all(
    assets.map(async ({ file, packages, use }) => {
      const bytes = Buffer.from(files[`public/sandbox-libs/${file}`])
      const names = await Promise.all(packages.map(async (name) => `${name} ${await versionOf(name)}`))
      return `| ${names.join(', ') || 'ours'} | ${use} | ${kb(bytes.length)} | ${kb(gzipSync(bytes, { level: 9 }).length)} |`
    }),
  )
  return ['| package | what for | kB | kB gz |', '| --- | --- | ---: | ---: |', ...rows].join('\n')
}

const begin = '<!-- sizes: npm run generate -- sandbox-libraries -->'
const end = '<!-- /sizes -->'
const before = await readFile(page, 'utf8')
const head = before.slice(0, before.indexOf(begin) + begin.length)
const tail = before.slice(before.indexOf(end))
const after = await formatted('docs/generated/sandbox-libraries.md', `${head}\n\n${await table()}\n\n${tail}`)
if (after === before) console.log('docs/generated/sandbox-libraries.md is up to date')
else if (process.argv.includes('--check')) {
  console.error('docs/generated/sandbox-libraries.md is stale. Run npm run generate -- sandbox-libraries')
  process.exitCode = 1
} else {
  await writeFile(page, after)
  console.log('wrote docs/generated/sandbox-libraries.md')
}
